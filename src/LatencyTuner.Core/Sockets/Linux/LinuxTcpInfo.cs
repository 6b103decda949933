using System.Buffers.Binary;

namespace LatencyTuner.Core.Sockets.Linux;

/// <summary>
/// Decodes <c>struct tcp_info</c> (include/uapi/linux/tcp.h). The kernel only ever appends fields, so a shorter answer of an older
/// kernel leaves the later counters null.
/// </summary>
internal static class LinuxTcpInfo
{
    /// <summary>Room for every field decoded here.</summary>
    internal const int Size = 256;

    internal static KernelCounters Decode(ReadOnlySpan<byte> info) => info.Length < 104
        ? KernelCounters.Unsupported
        : new KernelCounters
        {
            Source = "TCP_INFO",
            MssBytes = U32(info, 16),
            RttUs = U32(info, 68),
            RetransmittedSegments = U32(info, 100),
            AckedBytes = U64(info, 120),
            SegmentsOut = U32(info, 136),
            SegmentsIn = U32(info, 140),
            // The kernel initialises the minimum to ~0 until the first sample.
            MinRttUs = U32(info, 148) is { } min and not uint.MaxValue ? min : null,
            DataSegmentsIn = U32(info, 152),
            DataSegmentsOut = U32(info, 156),
            BusyUs = U64(info, 168),
            RwndLimitedUs = U64(info, 176),
            SndbufLimitedUs = U64(info, 184),
            RetransmittedBytes = U64(info, 208),
        };

    /// <summary>The delayed-ACK timeout in force, µs; null before the first data.</summary>
    internal static long? AckTimeoutUs(ReadOnlySpan<byte> info) => U32(info, 12) is > 0 and var ato ? ato : null;

    /// <summary>Bytes sent, retransmissions included.</summary>
    internal static long? BytesSent(ReadOnlySpan<byte> info) => U64(info, 200);

    /// <summary>Bytes received.</summary>
    internal static long? BytesReceived(ReadOnlySpan<byte> info) => U64(info, 128);

    /// <summary>Bytes written and not sent yet.</summary>
    internal static long? UnsentBytes(ReadOnlySpan<byte> info) => U32(info, 144);

    /// <summary>Bytes per second of the last delivery; null before there was one.</summary>
    internal static long? DeliveryRate(ReadOnlySpan<byte> info) => U64(info, 160) is > 0 and var rate ? rate : null;

    /// <summary>
    /// Bytes that the application read within a round trip; null until there was more than the initial window, from which the kernel starts.
    /// </summary>
    internal static long? ReadPerRtt(ReadOnlySpan<byte> info)
    {
        const int InitialSegments = 10;
        return U32(info, 96) is { } space && U32(info, 84) is { } advertised && space > InitialSegments * advertised ? space : null;
    }

    private static long? U32(ReadOnlySpan<byte> info, int offset) =>
        info.Length >= offset + 4 ? BinaryPrimitives.ReadUInt32LittleEndian(info[offset..]) : null;

    private static long? U64(ReadOnlySpan<byte> info, int offset) =>
        info.Length >= offset + 8 ? (long)Math.Min(BinaryPrimitives.ReadUInt64LittleEndian(info[offset..]), long.MaxValue) : null;
}
