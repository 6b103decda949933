using System.Buffers.Binary;

namespace LatencyTuner.Core.Capture;

/// <summary>Decodes a TCP header and its options (RFC 9293 3.1, RFC 7323, RFC 2018).</summary>
internal static class TcpHeader
{
    private const int Fixed = 20;

    /// <summary>The shortest Ethernet frame has 46 bytes behind its header, 40 of them for the headers of IPv4 and TCP.</summary>
    private const int MostPadding = 6;

    /// <summary>Decodes the header.</summary>
    /// <param name="tcp">The captured bytes from the header on.</param>
    /// <param name="length">Length of the segment in bytes according to the IP header, TCP header included.</param>
    /// <param name="segment">Receives the fields.</param>
    public static DecodeOutcome Decode(ReadOnlySpan<byte> tcp, int length, ref TcpSegment segment)
    {
        if (length < Fixed)
        {
            return DecodeOutcome.Malformed;
        }

        if (tcp.Length < Fixed)
        {
            return DecodeOutcome.Truncated;
        }

        int header = (tcp[12] >> 4) * 4;
        if (header < Fixed || header > length)
        {
            return DecodeOutcome.Malformed;
        }

        segment.SourcePort = BinaryPrimitives.ReadUInt16BigEndian(tcp);
        segment.DestinationPort = BinaryPrimitives.ReadUInt16BigEndian(tcp[2..]);
        segment.Sequence = BinaryPrimitives.ReadUInt32BigEndian(tcp[4..]);
        segment.Acknowledgement = BinaryPrimitives.ReadUInt32BigEndian(tcp[8..]);
        segment.Flags = (TcpFlags)tcp[13];
        segment.Window = BinaryPrimitives.ReadUInt16BigEndian(tcp[14..]);
        segment.PayloadLength = IsPadding(tcp, header, length) ? 0 : length - header;
        segment.IsChecksumWrong = segment.PayloadLength is > 0 and <= SentData.EthernetMss && tcp.Length >= length
            && IsChecksumWrong(tcp[..length], in segment);
        segment.WindowScale = -1;
        (segment.OptionsCut, segment.OptionBytes) = (tcp.Length < header, (byte)(header - Fixed));
        if (header > Fixed)
        {
            Options(tcp[Fixed..Math.Min(header, tcp.Length)], ref segment);
        }

        return DecodeOutcome.Tcp;
    }

    /// <summary>
    /// True for a few zeros behind a pure ACK, which some devices on the path count into its length when they pad a short frame. A sender sets PSH on the
    /// last bytes that it has, and a keep-alive has one byte.
    /// </summary>
    internal static bool IsPadding(ReadOnlySpan<byte> tcp, int header, int length) =>
        length - header is > 1 and <= MostPadding && tcp[13] == (byte)TcpFlags.Ack && tcp.Length >= length
        && !tcp[header..length].ContainsAnyExcept((byte)0);

    /// <summary>
    /// True when the checksum of a whole segment is neither right nor what stacks leave for their adapter to complete: zero, or the sum of the pseudo-header
    /// (RFC 9293 3.1) with the length or, where the adapter is to split it, without.
    /// </summary>
    internal static bool IsChecksumWrong(ReadOnlySpan<byte> tcp, in TcpSegment segment)
    {
        const ushort Complete = 0xFFFF;
        ulong pseudo = Words(segment.Source) + Words(segment.Destination) + IpProtocol.Tcp;
        ulong length = (ulong)tcp.Length;
        ushort field = BinaryPrimitives.ReadUInt16BigEndian(tcp[16..]);
        return InternetChecksum.Fold(pseudo + length + InternetChecksum.Sum(tcp)) != Complete && field != 0
            && field != InternetChecksum.Fold(pseudo + length) && field != InternetChecksum.Fold(pseudo);
    }

    // That an IPv4 address is held as an IPv6 address does not change a sum modulo 65535.
    private static ulong Words(IpAddressValue address) => (address.High >> 32) + (uint)address.High + (address.Low >> 32) + (uint)address.Low;

    private static void Options(ReadOnlySpan<byte> options, ref TcpSegment segment)
    {
        // Nearly every segment of a connection with timestamps has these options: two NOP bytes, kind 8, length 10.
        if (options.Length == 12 && BinaryPrimitives.ReadUInt32BigEndian(options) == 0x0101_080A)
        {
            Timestamps(options[4..], ref segment);
            return;
        }

        while (options.Length > 0)
        {
            byte kind = options[0];
            if (kind == 0)
            {
                return;
            }

            if (kind == 1)
            {
                options = options[1..];
                continue;
            }

            if (options.Length < 2 || options[1] < 2 || options[1] > options.Length)
            {
                return;
            }

            Option(kind, options[2..options[1]], ref segment);
            options = options[options[1]..];
        }
    }

    private static void Option(byte kind, ReadOnlySpan<byte> value, ref TcpSegment segment)
    {
        switch (kind)
        {
            case 2 when value.Length == 2:
                segment.Mss = BinaryPrimitives.ReadUInt16BigEndian(value);
                break;
            case 3 when value.Length == 1:
                // RFC 7323 2.3: a shift above 14 counts as 14.
                segment.WindowScale = (sbyte)Math.Min(value[0], (byte)14);
                break;
            case 4 when value.Length == 0:
                segment.SackPermitted = true;
                break;
            case 5:
                for (int at = 0; at + 8 <= value.Length && segment.SackCount < SackBlockBuffer.Most; at += 8)
                {
                    segment.Sack[segment.SackCount++] = new(
                        BinaryPrimitives.ReadUInt32BigEndian(value[at..]), BinaryPrimitives.ReadUInt32BigEndian(value[(at + 4)..]));
                }

                break;
            case 8 when value.Length == 8:
                Timestamps(value, ref segment);
                break;
        }
    }

    private static void Timestamps(ReadOnlySpan<byte> value, ref TcpSegment segment)
    {
        segment.HasTimestamp = true;
        segment.TimestampValue = BinaryPrimitives.ReadUInt32BigEndian(value);
        segment.TimestampEcho = BinaryPrimitives.ReadUInt32BigEndian(value[4..]);
    }
}

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
