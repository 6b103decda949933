using LatencyTuner.Core.Capture;

namespace LatencyTuner.Core.Masking;

/// <summary>
/// Writes the sections, interfaces, packets and counts of losses of a pcapng file again. Names, comments, hardware, filters, resolved names, decryption
/// secrets and every block of which only the number counts are left out.
/// </summary>
internal sealed class PcapngCopy
{
    private const ushort IfSpeed = 8;
    private const ushort IfResolution = 9;
    private const ushort IfOffset = 14;
    private const ushort PacketFlags = 2;
    private const ushort PacketDrops = 4;
    private const ushort StatisticsFirst = 2;
    private const ushort StatisticsLast = 8;

    private readonly Stream _output;
    private readonly bool _isPcapng;
    private readonly ICaptureReader _reader;
    private readonly List<byte> _options = [];
    private PcapngWriter _writer;
    private uint _type = PcapngReader.EnhancedPacketBlock;
    private uint _high;
    private uint _low;
    private uint _interfaces;

    /// <summary>Begins a copy.</summary>
    /// <param name="output">Receives it.</param>
    /// <param name="reader">The capture, of which no packet was read yet.</param>
    public PcapngCopy(Stream output, ICaptureReader reader)
    {
        (_output, _reader) = (output, reader);
        _writer = new PcapngWriter(output);
        _writer.Begin();
        if (reader is PcapngReader pcapng)
        {
            _isPcapng = true;
            pcapng.Seen = Block;
        }
    }

    /// <summary>Writes a packet that was just read.</summary>
    /// <param name="frame">The packet.</param>
    /// <param name="data">What is left of its bytes.</param>
    public void Packet(in CapturedFrame frame, ReadOnlySpan<byte> data)
    {
        if (!_isPcapng)
        {
            PlainInterface(frame.LinkType);
            ulong microseconds = (ulong)(frame.TimeNs / 1000);
            (_high, _low) = ((uint)(microseconds >> 32), (uint)microseconds);
            _options.Clear();
        }

        List<byte> body = new(data.Length + 64);
        if (_type == PcapngReader.SimplePacketBlock)
        {
            // Its captured length follows from the interface's: what was cut is zeros.
            body.AddRange(PcapngWriter.Bytes32((uint)frame.OriginalLength));
            body.AddRange(data);
            body.AddRange(new byte[Math.Max(frame.Data.Length - data.Length, 0)]);
            PcapngWriter.Pad(body);
            _writer.Block(PcapngReader.SimplePacketBlock, body);
            return;
        }

        body.AddRange(PcapngWriter.Bytes32((uint)frame.InterfaceId));
        body.AddRange(PcapngWriter.Bytes32(_high));
        body.AddRange(PcapngWriter.Bytes32(_low));
        body.AddRange(PcapngWriter.Bytes32((uint)data.Length));
        body.AddRange(PcapngWriter.Bytes32((uint)frame.OriginalLength));
        body.AddRange(data);
        PcapngWriter.Pad(body);
        End(body, _options);
        _writer.Block(PcapngReader.EnhancedPacketBlock, body);
    }

    /// <summary>Ends the file: the losses that a snoop file counts.</summary>
    public void End()
    {
        const ushort InterfaceDrops = 5;
        if (!_isPcapng && _interfaces > 0 && _reader.FramesLost is { } lost)
        {
            List<byte> body = [.. PcapngWriter.Bytes32(0), .. PcapngWriter.Bytes32(0), .. PcapngWriter.Bytes32(0)];
            List<byte> options = [];
            PcapngWriter.Option(options, InterfaceDrops, [.. PcapngWriter.Bytes32((uint)lost), .. PcapngWriter.Bytes32((uint)(lost >> 32))]);
            End(body, options);
            _writer.Block(PcapngReader.StatisticsBlock, body);
        }
    }

    private static void End(List<byte> body, List<byte> options)
    {
        if (options.Count > 0)
        {
            body.AddRange(options);
            body.AddRange(PcapngWriter.Bytes32(0));
        }
    }

    private void PlainInterface(int linkType)
    {
        if (_interfaces++ == 0)
        {
            _writer.Block(PcapngReader.InterfaceBlock, [.. PcapngWriter.Bytes16((ushort)linkType), 0, 0, .. PcapngWriter.Bytes32(0)]);
        }
    }

    private void Block(uint type, bool bigEndian, ReadOnlySpan<byte> body)
    {
        switch (type)
        {
            case PcapngReader.SectionMagic:
                _writer = new PcapngWriter(_output);
                _writer.Begin();
                break;
            case PcapngReader.InterfaceBlock when body.Length >= 8:
                Interface(bigEndian, body);
                break;
            case PcapngReader.StatisticsBlock when body.Length >= 12:
                Statistics(bigEndian, body);
                break;
            case PcapngReader.CustomBlock:
                // Wireshark counts it among the packets: an empty one keeps their numbers.
                _writer.Block(PcapngReader.CustomBlock, [.. PcapngWriter.Bytes32(uint.MaxValue)]);
                break;
            case PcapngReader.EnhancedPacketBlock or PcapngReader.ObsoletePacketBlock or PcapngReader.SimplePacketBlock when body.Length >= 20:
                Remember(type, bigEndian, body);
                break;
            case PcapngReader.SimplePacketBlock:
                _type = type;
                break;
        }
    }

    private void Interface(bool bigEndian, ReadOnlySpan<byte> body)
    {
        List<byte> copy =
            [.. PcapngWriter.Bytes16(ByteOrderReader.U16(body, bigEndian)), 0, 0, .. PcapngWriter.Bytes32(ByteOrderReader.U32(body[4..], bigEndian))];
        List<byte> kept = [];
        PcapngOptions options = new(body[8..], bigEndian);
        while (options.TryNext(out ushort code, out ReadOnlySpan<byte> value))
        {
            if (code == IfResolution && value.Length >= 1)
            {
                PcapngWriter.Option(kept, code, [value[0]]);
            }
            else if (code is IfOffset or IfSpeed && value.Length >= 8)
            {
                PcapngWriter.Option(kept, code, Bytes64(bigEndian, value));
            }
        }

        End(copy, kept);
        _writer.Block(PcapngReader.InterfaceBlock, copy);
    }

    private void Statistics(bool bigEndian, ReadOnlySpan<byte> body)
    {
        List<byte> copy = [];
        for (int at = 0; at < 12; at += 4)
        {
            copy.AddRange(PcapngWriter.Bytes32(ByteOrderReader.U32(body[at..], bigEndian)));
        }

        List<byte> kept = [];
        PcapngOptions options = new(body[12..], bigEndian);
        while (options.TryNext(out ushort code, out ReadOnlySpan<byte> value))
        {
            if (code is >= StatisticsFirst and <= StatisticsLast && value.Length >= 8)
            {
                // Times are two halves, the upper first; counts are one number.
                PcapngWriter.Option(kept, code, code is 2 or 3
                    ? [.. PcapngWriter.Bytes32(ByteOrderReader.U32(value, bigEndian)), .. PcapngWriter.Bytes32(ByteOrderReader.U32(value[4..], bigEndian))]
                    : Bytes64(bigEndian, value));
            }
        }

        End(copy, kept);
        _writer.Block(PcapngReader.StatisticsBlock, copy);
    }

    /// <summary>The time of the packet that comes next as it is in the file, its direction, and the packets that were lost before it.</summary>
    private void Remember(uint type, bool bigEndian, ReadOnlySpan<byte> body)
    {
        const int Fixed = 20;
        const ushort NotCounted = ushort.MaxValue;
        _type = type;
        (_high, _low) = (ByteOrderReader.U32(body[4..], bigEndian), ByteOrderReader.U32(body[8..], bigEndian));
        _options.Clear();
        if (type == PcapngReader.ObsoletePacketBlock)
        {
            ushort drops = ByteOrderReader.U16(body[2..], bigEndian);
            if (drops != NotCounted)
            {
                PcapngWriter.Option(_options, PacketDrops, [.. PcapngWriter.Bytes32(drops), 0, 0, 0, 0]);
            }
        }

        long at = Fixed + ((ByteOrderReader.U32(body[12..], bigEndian) + 3L) & ~3L);
        PcapngOptions options = new(at < body.Length ? body[(int)at..] : [], bigEndian);
        while (options.TryNext(out ushort code, out ReadOnlySpan<byte> value))
        {
            if (code == PacketFlags && value.Length == 4)
            {
                PcapngWriter.Option(_options, code, PcapngWriter.Bytes32(ByteOrderReader.U32(value, bigEndian)));
            }
            else if (code == PacketDrops && value.Length >= 8 && type == PcapngReader.EnhancedPacketBlock)
            {
                PcapngWriter.Option(_options, code, Bytes64(bigEndian, value));
            }
        }
    }

    private static byte[] Bytes64(bool bigEndian, ReadOnlySpan<byte> value)
    {
        ulong number = ByteOrderReader.U64(value, bigEndian);
        return [.. PcapngWriter.Bytes32((uint)number), .. PcapngWriter.Bytes32((uint)(number >> 32))];
    }
}
