namespace LatencyTuner.Core.Etw;

/// <summary>Looks at small pieces of a trace without a read for each of them.</summary>
internal sealed class EtlWindow(EtlSource source, int bytes)
{
    private readonly byte[] _window = new byte[bytes];
    private long _start;
    private int _count;

    /// <summary>Bytes at a position; fewer than wanted only at the end. Valid until the next call.</summary>
    /// <param name="offset">From the beginning.</param>
    /// <param name="wanted">At most the window's size.</param>
    internal ReadOnlySpan<byte> Peek(long offset, int wanted)
    {
        if (offset < _start || offset + wanted > _start + _count)
        {
            _start = offset;
            _count = offset < source.Length ? source.Read(offset, _window) : 0;
        }

        int at = (int)(offset - _start);
        return _window.AsSpan(at, Math.Min(wanted, _count - at));
    }
}
