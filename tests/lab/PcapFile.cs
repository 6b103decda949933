using System.Buffers.Binary;

namespace LatencyTuner.Lab;

/// <summary>Writes a pcap file with nanosecond timestamps (magic 0xa1b23c4d, draft-ietf-opsawg-pcap section 4), link type Ethernet.</summary>
internal sealed class PcapFile : IDisposable
{
    private readonly FileStream _file;
    private readonly int _snapLength;

    public PcapFile(string path, int snapLength)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(snapLength, 54);
        _snapLength = snapLength;
        _file = new FileStream(path, FileMode.Create, FileAccess.Write, FileShare.Read, 1 << 20);
        Span<byte> header = stackalloc byte[24];
        header.Clear();
        BinaryPrimitives.WriteUInt32LittleEndian(header, 0xa1b23c4d);
        BinaryPrimitives.WriteUInt16LittleEndian(header[4..], 2);
        BinaryPrimitives.WriteUInt16LittleEndian(header[6..], 4);
        BinaryPrimitives.WriteInt32LittleEndian(header[16..], snapLength);
        BinaryPrimitives.WriteUInt32LittleEndian(header[20..], 1);
        _file.Write(header);
    }

    public void Write(long realtimeNs, ReadOnlySpan<byte> frame)
    {
        ReadOnlySpan<byte> kept = frame[..Math.Min(frame.Length, _snapLength)];
        Span<byte> header = stackalloc byte[16];
        BinaryPrimitives.WriteUInt32LittleEndian(header, (uint)(realtimeNs / 1_000_000_000));
        BinaryPrimitives.WriteUInt32LittleEndian(header[4..], (uint)(realtimeNs % 1_000_000_000));
        BinaryPrimitives.WriteInt32LittleEndian(header[8..], kept.Length);
        BinaryPrimitives.WriteInt32LittleEndian(header[12..], frame.Length);
        _file.Write(header);
        _file.Write(kept);
    }

    public void Dispose() => _file.Dispose();
}
