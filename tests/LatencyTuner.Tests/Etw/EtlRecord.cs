namespace LatencyTuner.Tests.Etw;

/// <summary>One record as it stands in a buffer, with what decides where it goes.</summary>
/// <param name="Time">Clock value.</param>
/// <param name="Processor">The buffer's processor.</param>
/// <param name="Bytes">Header and payload.</param>
internal sealed record EtlRecord(long Time, int Processor, byte[] Bytes)
{
    private const int ProcessId = 4_242;
    private const int ThreadId = 777;

    /// <summary>An event of a manifest provider (EVENT_HEADER), with extended items when some are given.</summary>
    internal static EtlRecord Manifest(
        long time, int processor, Guid provider, ushort id, byte version, byte[] payload, int pointerSize = 8, byte level = 4, byte opcode = 0,
        ulong keyword = 0, params (ushort Type, byte[] Data)[] items)
    {
        ByteWriter body = new();
        for (int i = 0; i < items.Length; i++)
        {
            int total = (8 + items[i].Data.Length + 7) / 8 * 8;
            body.U16((ushort)total).U16(items[i].Type).U16((ushort)(i + 1 < items.Length ? 1 : 0)).U16((ushort)items[i].Data.Length).Raw(items[i].Data)
                .Zeros(total - 8 - items[i].Data.Length);
        }

        int size = 0x50 + body.Length + payload.Length;
        return new EtlRecord(time, processor, new ByteWriter()
            .U16((ushort)size).U8((byte)(pointerSize == 4 ? 0x12 : 0x13)).U8(0xC0)
            .U16((ushort)(items.Length > 0 ? 1 : 0)).U16(0)
            .U32(ThreadId).U32(ProcessId).I64(time).Guid(provider)
            .U16(id).U8(version).U8(0).U8(level).U8(opcode).U16(0).U64(keyword)
            .U64(0).Guid(default)
            .Raw(body.ToArray()).Raw(payload).ToArray());
    }

    /// <summary>The same event in the time of another process and thread; of a manifest provider only.</summary>
    internal EtlRecord RunBy(int process, int thread)
    {
        byte[] bytes = (byte[])Bytes.Clone();
        BitConverter.TryWriteBytes(bytes.AsSpan(8), thread);
        BitConverter.TryWriteBytes(bytes.AsSpan(12), process);
        return this with { Bytes = bytes };
    }

    /// <summary>An event of a classic provider (EVENT_TRACE_HEADER).</summary>
    internal static EtlRecord Classic(
        long time, int processor, Guid provider, byte opcode, ushort version, byte[] payload, int pointerSize = 8, bool instance = false)
    {
        int fixedBytes = instance ? 0x48 : 0x30;
        int form = instance ? (pointerSize == 4 ? 0x0B : 0x15) : pointerSize == 4 ? 0x0A : 0x14;
        return new EtlRecord(time, processor, new ByteWriter()
            .U16((ushort)(fixedBytes + payload.Length)).U8((byte)form).U8(0xC0)
            .U8(opcode).U8(4).U16(version).U32(ThreadId).U32(ProcessId).I64(time).Guid(provider).U64(0)
            .Zeros(instance ? 0x18 : 0).Raw(payload).ToArray());
    }

    /// <summary>A kernel event with process and thread (SYSTEM_TRACE_HEADER), or the form without processor times.</summary>
    internal static EtlRecord Kernel(
        long time, int processor, byte group, byte type, byte version, byte[] payload, int pointerSize = 8, bool compact = false) =>
        new(time, processor, new ByteWriter()
        .U8(version).U8(0).U8((byte)((compact ? 3 : 1) + (pointerSize == 4 ? 0 : 1))).U8(0xC0)
        .U16((ushort)((compact ? 0x18 : 0x20) + payload.Length)).U8(type).U8(group)
        .U32(ThreadId).U32(ProcessId).I64(time).Zeros(compact ? 0 : 8).Raw(payload).ToArray());

    /// <summary>A kernel event without process and thread (PERFINFO_TRACE_HEADER), with values of performance counters before the payload.</summary>
    internal static EtlRecord PerfInfo(
        long time, int processor, byte group, byte type, byte version, byte[] payload, int pointerSize = 8, int counters = 0, bool extra = false) =>
        new(time, processor, new ByteWriter()
        .U8(version).U8((byte)(counters | (extra ? 0x80 : 0))).U8((byte)(pointerSize == 4 ? 0x10 : 0x11)).U8(0xC0)
        .U16((ushort)(0x10 + (8 * (counters + (extra ? 1 : 0))) + payload.Length)).U8(type).U8(group)
        .I64(time).Zeros(8 * (counters + (extra ? 1 : 0))).Raw(payload).ToArray());

    /// <summary>A message of WPP tracing.</summary>
    internal static EtlRecord Message(long time, int processor, byte[] payload) => new(time, processor, new ByteWriter()
        .U16((ushort)(8 + payload.Length)).U8(0).U8(0x90).U16(10).U16(0).Raw(payload).ToArray());
}
