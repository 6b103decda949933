namespace LatencyTuner.Core.Capture;

/// <summary>The flags of a TCP header (RFC 9293 3.1), as in its byte 13.</summary>
[Flags]
internal enum TcpFlags : byte
{
    None = 0,
    Fin = 0x01,
    Syn = 0x02,
    Rst = 0x04,
    Psh = 0x08,
    Ack = 0x10,
    Urg = 0x20,
    Ece = 0x40,
    Cwr = 0x80,
}
