using System.Text;

namespace LatencyTuner.Tests.Etw;

/// <summary>Writes traces as a session does: one stream of buffers per processor, flushed when full, the log file header first.</summary>
internal sealed class EtlWriter
{
    private const int BufferHeader = 0x48;

    private readonly List<EtlRecord> _records = [];

    internal int PointerSize { get; init; } = 8;

    internal int BufferBytes { get; init; } = 16_384;

    internal bool Compressed { get; init; }

    internal ushort CompressionFormat { get; init; } = 3;

    internal uint ClockType { get; init; } = 1;

    internal long Frequency { get; init; } = 10_000_000;

    internal uint ProcessorMhz { get; init; } = 2_600;

    internal long Origin { get; init; } = 5_000_000_000;

    internal DateTime StartUtc { get; init; } = new(2026, 11, 20, 8, 30, 0, DateTimeKind.Utc);

    internal uint Build { get; init; } = 20_348;

    internal uint Mode { get; init; }

    internal uint EventsLost { get; init; }

    internal uint BuffersLost { get; init; }

    internal bool Unfinished { get; init; }

    internal bool ProcessorIndexStyle { get; init; } = true;

    internal string LoggerName { get; init; } = "LatencyTuner";

    internal EtlWriter Add(params EtlRecord[] records)
    {
        _records.AddRange(records);
        return this;
    }

    internal byte[] ToArray()
    {
        SortedDictionary<int, ByteWriter> open = new();
        Dictionary<int, long> counts = new();
        List<byte[]> buffers = [];
        foreach (EtlRecord record in _records)
        {
            if (!open.TryGetValue(record.Processor, out ByteWriter? writer))
            {
                open[record.Processor] = writer = new ByteWriter();
            }

            if (writer.Length + BufferHeader + record.Bytes.Length + 8 > BufferBytes && writer.Length > 0)
            {
                buffers.Add(Buffer(writer.ToArray(), record.Processor, counts, type: 0));
                open[record.Processor] = writer = new ByteWriter();
            }

            writer.PadTo(8).Raw(record.Bytes);
        }

        foreach ((int processor, ByteWriter? writer) in open)
        {
            buffers.Add(Buffer(writer.ToArray(), processor, counts, type: 0));
        }

        EtlRecord header = EtlRecord.Kernel(Origin, 0, 0, 0, 2, LogHeader((uint)buffers.Count + 1), PointerSize);
        return [.. FirstBuffer(header.Bytes), .. buffers.SelectMany(b => b)];
    }

    private byte[] FirstBuffer(byte[] events) =>
        Raw(
            events, BufferHeader + events.Length, Compressed ? BufferHeader + events.Length : BufferBytes, 0, 0, flags: 1, type: 4,
            state: Compressed ? CompressionFormat : (ushort)3);

    private byte[] Buffer(byte[] events, int processor, Dictionary<int, long> counts, ushort type)
    {
        counts[processor] = counts.GetValueOrDefault(processor) + 1;
        int valid = BufferHeader + events.Length;
        if (!Compressed)
        {
            return Raw(events, valid, Math.Max(BufferBytes, (valid + 7) / 8 * 8), processor, counts[processor], 1, type, 3);
        }

        byte[] packed = XpressCompressor.Compress(events);
        return Raw(packed, valid, BufferHeader + packed.Length, processor, counts[processor], 0x41, type, 3);
    }

    private byte[] Raw(byte[] content, int valid, int size, int processor, long sequence, ushort flags, ushort type, ushort state)
    {
        ByteWriter writer = new ByteWriter()
            .U32((uint)size).U32((uint)valid).U32((uint)valid).U32(0).I64(0).I64(sequence).U64(0);
        if (ProcessorIndexStyle)
        {
            writer.U16((ushort)processor);
        }
        else
        {
            writer.U8((byte)processor).U8(8);
        }

        return writer.U16(1).U32(state).U32((uint)valid).U16((ushort)(flags | (ProcessorIndexStyle ? 0x20 : 0))).U16(type).Zeros(16)
            .Raw(content).Zeros(Math.Max(0, size - BufferHeader - content.Length)).ToArray();
    }

    private byte[] LogHeader(uint buffers)
    {
        long start = StartUtc.ToFileTimeUtc();
        ByteWriter writer = new ByteWriter()
            .U32((uint)BufferBytes).U8(10).U8(0).U8(1).U8(5).U32(Build).U32(8)
            .I64(Unfinished ? 0 : start + 600_000_000).U32(156_250).U32(0).U32(Mode | (Compressed ? 0x0400_0000u : 0))
            .U32(Unfinished ? 0 : buffers).U32(1).U32((uint)PointerSize).U32(EventsLost).U32(ProcessorMhz)
            .Pointer(0, PointerSize).Pointer(0, PointerSize)
            .U32(unchecked((uint)-60)).Zeros(0xAC - 4).PadTo(8)
            .I64(start - 36_000_000_000).I64(Frequency).I64(start).U32(ClockType).U32(BuffersLost);
        return writer.Raw(Encoding.Unicode.GetBytes(LoggerName + "\0C:\\trace.etl\0")).ToArray();
    }
}
