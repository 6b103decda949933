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

    private static long? U32(ReadOnlySpan<byte> info, int offset) =>
        info.Length >= offset + 4 ? BinaryPrimitives.ReadUInt32LittleEndian(info[offset..]) : null;

    private static long? U64(ReadOnlySpan<byte> info, int offset) =>
        info.Length >= offset + 8 ? (long)Math.Min(BinaryPrimitives.ReadUInt64LittleEndian(info[offset..]), long.MaxValue) : null;
}
