namespace LatencyTuner.Core.Inputs;

/// <summary>A stream whose first bytes were read already: it returns them again, then the rest.</summary>
internal sealed class HeadStream(ReadOnlyMemory<byte> head, Stream rest) : ReadOnlyStream
{
    private ReadOnlyMemory<byte> _head = head;

    public override int Read(Span<byte> buffer)
    {
        if (_head.Length == 0)
        {
            return rest.Read(buffer);
        }

        int taken = Math.Min(buffer.Length, _head.Length);
        _head.Span[..taken].CopyTo(buffer);
        _head = _head[taken..];
        return taken;
    }

    protected override void Dispose(bool disposing)
    {
        if (disposing)
        {
            rest.Dispose();
        }

        base.Dispose(disposing);
    }
}
