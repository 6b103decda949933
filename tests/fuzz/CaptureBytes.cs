using System.Buffers.Binary;

namespace LatencyTuner.Fuzz;

/// <summary>Writes pcap and pcapng by hand, sound or not.</summary>
internal sealed class CaptureBytes(bool bigEndian = false)
{
    public const uint Section = 0x0A0D0D0A;
    public const long Second = 1_700_000_000;

    private readonly List<byte> _bytes = [];

    public int Length => _bytes.Count;

    public byte[] ToArray() => [.. _bytes];

    public byte[] U16(int value) => Ordered(2, s => BinaryPrimitives.WriteUInt16LittleEndian(s, (ushort)value));

    public byte[] U32(uint value) => Ordered(4, s => BinaryPrimitives.WriteUInt32LittleEndian(s, value));

    public byte[] U64(ulong value) => Ordered(8, s => BinaryPrimitives.WriteUInt64LittleEndian(s, value));

    public CaptureBytes Add(params byte[] bytes)
    {
        _bytes.AddRange(bytes);
        return this;
    }

    public CaptureBytes PcapHeader(uint magic = 0xA1B2C3D4, uint linkType = 1) =>
        Add([.. U32(magic), .. U16(2), .. U16(4), .. U32(0), .. U32(0), .. U32(262144), .. U32(linkType)]);

    public CaptureBytes Record(byte[] data, uint seconds = (uint)Second, uint fraction = 0, uint? captured = null, uint? original = null, int extra = 0) =>
        Add([.. U32(seconds), .. U32(fraction), .. U32(captured ?? (uint)data.Length), .. U32(original ?? (uint)data.Length), .. new byte[extra], .. data]);

    /// <summary>The header of a snoop file; the numbers of that format are always big-endian.</summary>
    public CaptureBytes SnoopHeader(uint dataLink = 4, uint version = 2) => Add([.. "snoop\0\0\0"u8, .. U32(version), .. U32(dataLink)]);

    /// <summary>A record of a snoop file, padded to four bytes unless told otherwise.</summary>
    public CaptureBytes SnoopRecord(
        byte[] data, uint microseconds = 0, uint lost = 0, uint? captured = null, uint? original = null, uint? whole = null) => Add(
        [
            .. U32(original ?? (uint)data.Length), .. U32(captured ?? (uint)data.Length), .. U32(whole ?? (uint)(24 + data.Length + (-data.Length & 3))),
            .. U32(lost), .. U32((uint)Second), .. U32(microseconds), .. data, .. new byte[-data.Length & 3]]);

    /// <summary>A block of pcapng: padded, with its length at both ends unless told otherwise.</summary>
    public CaptureBytes Block(uint type, byte[] body, uint? length = null, uint? trailer = null)
    {
        byte[] padded = [.. body, .. new byte[-body.Length & 3]];
        uint whole = (uint)padded.Length + 12;
        return Add([.. U32(type), .. U32(length ?? whole), .. padded, .. U32(trailer ?? length ?? whole)]);
    }

    public CaptureBytes SectionHeader(long sectionLength = -1, int major = 1) =>
        Block(Section, [.. U32(0x1A2B3C4D), .. U16(major), .. U16(0), .. U64((ulong)sectionLength)]);

    public CaptureBytes Interface(int linkType = 1, uint snap = 0, params byte[][] options) =>
        Block(1, [.. U16(linkType), .. U16(0), .. U32(snap), .. options.SelectMany(o => o)]);

    public byte[] Option(int code, byte[] value, int? length = null) =>
        [.. U16(code), .. U16(length ?? value.Length), .. value, .. new byte[-value.Length & 3]];

    public CaptureBytes Enhanced(
        byte[] data, ulong ticks = Second * 1_000_000, uint id = 0, uint? captured = null, uint? original = null, params byte[][] options) => Block(6,
        [
            .. U32(id), .. U32((uint)(ticks >> 32)), .. U32((uint)ticks), .. U32(captured ?? (uint)data.Length), .. U32(original ?? (uint)data.Length),
            .. data, .. new byte[-data.Length & 3], .. options.SelectMany(o => o)]);

    public CaptureBytes Obsolete(byte[] data, ulong ticks, int id, int drops) => Block(2,
        [.. U16(id), .. U16(drops), .. U32((uint)(ticks >> 32)), .. U32((uint)ticks), .. U32((uint)data.Length), .. U32((uint)data.Length), .. data]);

    public CaptureBytes Simple(byte[] data, uint original) => Block(3, [.. U32(original), .. data]);

    public CaptureBytes Statistics(uint id, params byte[][] options) => Block(5, [.. U32(id), .. U64(0), .. options.SelectMany(o => o)]);

    private byte[] Ordered(int size, Action<byte[]> write)
    {
        byte[] bytes = new byte[size];
        write(bytes);
        if (bigEndian)
        {
            Array.Reverse(bytes);
        }

        return bytes;
    }
}
