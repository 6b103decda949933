namespace LatencyTuner.Core.Measurement.Protocol;

/// <summary>
/// The constants of the responder's protocol. All numbers are little-endian. A control frame is a 12-byte header (magic, version,
/// type, flags, payload length), the payload, and, after both ends proved the token (the responder first), a 32-byte HMAC. After the handshake the
/// connection carries bare messages of the agreed sizes, so that only application bytes are measured; when the client closes its direction the
/// responder answers with one result frame.
/// </summary>
internal static class Wire
{
    /// <summary><c>LTP1</c>.</summary>
    internal const uint Magic = 0x3150544C;

    /// <summary>In version 1 the client proved the token first, and the responder told anyone its software and system.</summary>
    internal const ushort Version = 2;

    internal const int HeaderSize = 12;
    internal const int MacSize = 32;
    internal const int NonceSize = 32;

    /// <summary>Largest control payload in bytes. Every control frame is far smaller; a larger one is an attack or another protocol.</summary>
    internal const int MaxPayload = 2048;

    /// <summary>Marks the start of every reply with room for it.</summary>
    internal const uint ReplyMagic = 0x5250544C;

    /// <summary>Sequence number (4), magic (4), residence time in nanoseconds (8).</summary>
    internal const int ReplyHeaderSize = 16;

    /// <summary>Marks the serving thread's waits, which follow the stamp of a reply when the client requested them.</summary>
    internal const uint WaitsMagic = 0x5757544C;

    /// <summary>
    /// The stamp, magic (4), zero (4), nanoseconds that the serving thread has been ready to run without running (8, -1 when unknown) and
    /// nanoseconds of stalls of its machine (8), both since their start, without think times, read at some time after the last reply.
    /// </summary>
    internal const int WaitsHeaderSize = 40;

    internal const int DefaultPort = 7117;
}
