using System.Buffers.Binary;
using LatencyTuner.Core.Capture;

namespace LatencyTuner.Core.Masking;

/// <summary>
/// Cuts frames behind the last header that an analysis reads, and masks the addresses in what is left. Nothing that is not known by its form stays. No
/// length in a frame is trusted beyond the captured bytes. What was found in the frames before is found in the rewritten ones.
/// </summary>
/// <param name="mask">Masks addresses; null to leave them.</param>
internal sealed partial class PacketRewriter(AddressMask? mask)
{
    private const int Device = 6;
    private const ushort Arp = 0x0806;
    private const ushort ReverseArp = 0x8035;

    private byte[] _buffer = new byte[2048];

    /// <summary>Frames of which nothing but the link layer was kept, because what they carry is not known.</summary>
    public long Unknown { get; private set; }

    /// <summary>Rewrites a frame.</summary>
    /// <param name="frame">The frame.</param>
    /// <returns>What is left of it, valid until the next call.</returns>
    public ReadOnlySpan<byte> Rewrite(in CapturedFrame frame)
    {
        int length = frame.Data.Length;
        if (_buffer.Length < length)
        {
            _buffer = new byte[length];
        }

        frame.Data.CopyTo(_buffer);
        Span<byte> data = _buffer.AsSpan(0, length);
        int wire = Math.Max(frame.OriginalLength, length);
        DecodeOutcome link = LinkLayer.Find(frame.LinkType, data, ref wire, out int offset);
        MaskLink(frame.LinkType, data);
        if (link == DecodeOutcome.Tcp)
        {
            return data[..(offset + Ip(data[offset..], wire - offset, 0))];
        }

        Unknown++;
        int known = Math.Min(Math.Max(offset, HeaderOf(frame.LinkType)), length);
        return data[..(known + AfterLink(frame.LinkType, data, known))];
    }

    /// <summary>Length of the link layer's header where no IP follows, in bytes; 0 where it is not known.</summary>
    private static int HeaderOf(int linkType) => linkType switch
    {
        LinkTypes.Ethernet => 14,
        LinkTypes.LinuxCooked => 16,
        LinkTypes.LinuxCooked2 => 20,
        LinkTypes.Fddi => 13,
        LinkTypes.Null or LinkTypes.Loop => 4,
        _ => 0,
    };

    private void MaskLink(int linkType, Span<byte> data)
    {
        switch (linkType)
        {
            case LinkTypes.Ethernet:
                Devices(data);
                break;
            case LinkTypes.Fddi when data.Length > 0:
                Devices(data[1..]);
                break;
            case LinkTypes.LinuxCooked when data.Length >= 14:
                CookedAddress(data[6..14], BinaryPrimitives.ReadUInt16BigEndian(data[4..]));
                break;
            case LinkTypes.LinuxCooked2 when data.Length >= 20:
                CookedAddress(data[12..20], data[11]);
                break;
            case LinkTypes.LinuxCooked or LinkTypes.LinuxCooked2 when mask is not null:
                data.Clear();
                break;
        }
    }

    /// <summary>Two addresses of six bytes; a cut one is overwritten.</summary>
    private void Devices(Span<byte> data)
    {
        if (mask is null)
        {
            return;
        }

        for (int at = 0; at < 2 * Device && at < data.Length; at += Device)
        {
            if (data.Length >= at + Device)
            {
                mask.Device(data.Slice(at, Device));
            }
            else
            {
                data[at..].Clear();
            }
        }
    }

    private void CookedAddress(Span<byte> field, int length)
    {
        if (mask is null)
        {
            return;
        }

        if (length == Device)
        {
            mask.Device(field);
            field[Device..].Clear();
        }
        else if (length == 4)
        {
            // Tunnels have the IPv4 address of their end.
            mask.V4(field);
            field[4..].Clear();
        }
        else
        {
            field.Clear();
        }
    }

    /// <summary>What is kept behind the link layer of a frame without IP: ARP for IPv4, and a byte by which the end of MPLS labels is seen.</summary>
    private int AfterLink(int linkType, Span<byte> data, int known)
    {
        const int ArpLength = 28;
        Span<byte> rest = data[known..];
        if (known < 14 || linkType is not (LinkTypes.Ethernet or LinkTypes.LinuxCooked or LinkTypes.LinuxCooked2))
        {
            return 0;
        }

        int type = BinaryPrimitives.ReadUInt16BigEndian(data[(linkType == LinkTypes.LinuxCooked2 && known == 20 ? 0 : known - 2)..]);
        if (type is Arp or ReverseArp && rest.Length >= ArpLength && rest[2..6].SequenceEqual((ReadOnlySpan<byte>)[8, 0, Device, 4]))
        {
            if (mask is not null)
            {
                mask.Device(rest[8..14]);
                mask.V4(rest[14..18]);
                mask.Device(rest[18..24]);
                mask.V4(rest[24..28]);
            }

            return ArpLength;
        }

        if (known > 14 && rest.Length > 0)
        {
            // No version of IP.
            rest[0] = 0;
            return 1;
        }

        return 0;
    }
}
