namespace LatencyTuner.Lab;

/// <summary>Frame buffers for one thread, so that forwarding allocates nothing and causes no collection pauses.</summary>
public sealed class FramePool
{
    private readonly Stack<FrameBuffer> _free = new();
    private readonly int _capacity;

    /// <summary>Creates an empty pool.</summary>
    /// <param name="capacity">Bytes of each buffer.</param>
    public FramePool(int capacity)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(capacity);
        _capacity = capacity;
    }

    /// <summary>Takes a buffer out of the pool.</summary>
    public FrameBuffer Rent() => _free.TryPop(out FrameBuffer? buffer) ? buffer : new FrameBuffer(_capacity);

    /// <summary>Takes a buffer and fills it.</summary>
    /// <param name="frame">At most the pool's buffer size.</param>
    public FrameBuffer Rent(ReadOnlySpan<byte> frame)
    {
        FrameBuffer buffer = Rent();
        frame.CopyTo(buffer.Bytes);
        buffer.SetLength(frame.Length);
        return buffer;
    }

    /// <summary>Gives a buffer back; it must not be used afterwards.</summary>
    /// <param name="buffer">A buffer of this pool.</param>
    public void Return(FrameBuffer buffer) => _free.Push(buffer);
}
