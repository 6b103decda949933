namespace LatencyTuner.Core.Inputs;

/// <summary>A limited number of the next bytes of a stream, which is disposed with it.</summary>
internal sealed class PartOfStream(Stream whole, long length) : ReadOnlyStream
{
    private long _left = length;

    /// <inheritdoc/>
    public override int Read(Span<byte> buffer)
    {
        int count = whole.Read(buffer[..(int)Math.Min(buffer.Length, _left)]);
        _left -= count;
        return count;
    }

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        if (disposing)
        {
            whole.Dispose();
        }

        base.Dispose(disposing);
    }
}
