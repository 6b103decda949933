using System.Buffers.Binary;

namespace LatencyTuner.Core.Capture;

/// <summary>Finds where IP begins in a frame.</summary>
internal static class LinkLayer
{
    private const ushort EtherTypeV4 = 0x0800;
    private const ushort EtherTypeV6 = 0x86DD;
    private const int EthernetHeader = 14;

    /// <summary>Finds the IP header.</summary>
    /// <param name="linkType">See <see cref="LinkTypes"/>.</param>
    /// <param name="data">The captured bytes.</param>
    /// <param name="offset">Where IP begins, at most the length of <paramref name="data"/>.</param>
    /// <returns><see cref="DecodeOutcome.Tcp"/> to go on at <paramref name="offset"/>; else why not.</returns>
    public static DecodeOutcome Find(int linkType, ReadOnlySpan<byte> data, out int offset)
    {
        offset = 0;
        return linkType switch
        {
            LinkTypes.Ethernet => Ethernet(data, out offset),
            _ => DecodeOutcome.UnknownLink,
        };
    }

    private static DecodeOutcome Ethernet(ReadOnlySpan<byte> data, out int offset)
    {
        offset = EthernetHeader;
        return data.Length < EthernetHeader ? DecodeOutcome.Truncated
            : BinaryPrimitives.ReadUInt16BigEndian(data[12..]) is EtherTypeV4 or EtherTypeV6 ? DecodeOutcome.Tcp
            : DecodeOutcome.NotIp;
    }
}
