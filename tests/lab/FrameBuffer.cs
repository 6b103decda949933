namespace LatencyTuner.Lab;

/// <summary>One frame on its way, in a reusable buffer.</summary>
public sealed class FrameBuffer
{
    private TcpFrame _tcp;

    internal FrameBuffer(int capacity) => Bytes = new byte[capacity];

    /// <summary>The whole buffer; only the first <see cref="Length"/> bytes are the frame.</summary>
    public byte[] Bytes { get; }

    /// <summary>Bytes of the frame.</summary>
    public int Length { get; private set; }

    /// <summary>Whether the frame holds one TCP segment.</summary>
    public bool IsTcp { get; private set; }

    /// <summary>The segment; all zero where <see cref="IsTcp"/> is false.</summary>
    public ref readonly TcpFrame Tcp => ref _tcp;

    /// <summary>The frame.</summary>
    public ReadOnlySpan<byte> Frame => Bytes.AsSpan(0, Length);

    /// <summary>Declares how many bytes were read into <see cref="Bytes"/> and reads the headers.</summary>
    /// <param name="length">0 to the buffer's length.</param>
    public void SetLength(int length)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan((uint)length, (uint)Bytes.Length);
        Length = length;
        IsTcp = TcpFrame.TryParse(Frame, out _tcp);
    }
}
