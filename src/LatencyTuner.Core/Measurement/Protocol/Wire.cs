namespace LatencyTuner.Core.Measurement.Protocol;

/// <summary>
/// The constants of the responder's protocol. All numbers are little-endian. A control frame is a 12-byte header (magic, version,
/// type, flags, payload length), the payload, and, once a token was proven, a 32-byte HMAC. After the handshake the connection carries
/// bare messages of the agreed sizes, so that the measured bytes are the application's alone; when the client closes its direction the
/// responder answers with one result frame.
/// </summary>
internal static class Wire
{
    /// <summary><c>LTP1</c>.</summary>
    internal const uint Magic = 0x3150544C;

    internal const ushort Version = 1;
    internal const int HeaderSize = 12;
    internal const int MacSize = 32;
    internal const int NonceSize = 32;

    /// <summary>Largest control payload in bytes. Every control frame fits easily; more is an attack or another protocol.</summary>
    internal const int MaxPayload = 2048;

    /// <summary>Marks the start of every reply with room for it.</summary>
    internal const uint ReplyMagic = 0x5250544C;

    /// <summary>Sequence number (4), magic (4), residence time in nanoseconds (8).</summary>
    internal const int ReplyHeaderSize = 16;

    /// <summary>Marks what follows the stamp of a reply when the client asked for it: the serving thread's waits.</summary>
    internal const uint WaitsMagic = 0x5757544C;

    /// <summary>
    /// The stamp, magic (4), zero (4), nanoseconds that the serving thread has been ready to run without running (8, -1 when unknown) and that
    /// its machine has left a waiting thread standing (8), both since they began, without think times, as of some time after the last reply.
    /// </summary>
    internal const int WaitsHeaderSize = 40;

    internal const int DefaultPort = 7117;
}
