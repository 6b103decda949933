using System.Buffers.Binary;

namespace LatencyTuner.Core.Sockets.Windows;

/// <summary>Decodes <c>TCP_INFO_v0</c> (88 bytes) and <c>TCP_INFO_v1</c> (136 bytes) of mstcpip.h, the same layout on x86 and x64.</summary>
internal static class WindowsTcpInfo
{
    /// <summary>Size of version 0 in bytes.</summary>
    internal const int SizeV0 = 88;

    /// <summary>Size of version 1 in bytes.</summary>
    internal const int SizeV1 = 136;

    internal static KernelCounters Decode(ReadOnlySpan<byte> info) => info.Length < SizeV0
        ? KernelCounters.Unsupported
        : new KernelCounters
        {
            Source = info.Length >= SizeV1 ? "SIO_TCP_INFO v1" : "SIO_TCP_INFO v0",
            MssBytes = U32(info, 4),
            RttUs = U32(info, 20),
            MinRttUs = U32(info, 24) is var min && min != uint.MaxValue ? min : null,
            RetransmittedBytes = U32(info, 68),
            RwndLimitedUs = info.Length >= SizeV1 ? U32(info, 92) * 1000 : null,
            CwndLimitedUs = info.Length >= SizeV1 ? U32(info, 108) * 1000 : null,
        };

    private static long U32(ReadOnlySpan<byte> info, int offset) => BinaryPrimitives.ReadUInt32LittleEndian(info[offset..]);
}
