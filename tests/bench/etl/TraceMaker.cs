using System.Buffers.Binary;
using LatencyTuner.Tests.Etw;

namespace LatencyTuner.EtlBench;

/// <summary>Makes large traces: one piece by the tests' writer, repeated with later times.</summary>
internal static class TraceMaker
{
    private const int PieceBuffers = 64;
    private const int BufferBytes = 65_536;
    private const int Processors = 8;

    /// <summary>Writes a trace of at least so many bytes after decompression, of the events of a request/response server.</summary>
    internal static void Write(string path, long bytes, bool compressed)
    {
        (byte[]? first, List<byte[]>? piece, long span) = Piece(compressed);
        using FileStream file = File.Create(path);
        file.Write(first);
        long count = Math.Max(1, bytes / ((long)PieceBuffers * BufferBytes));
        for (long i = 0; i < count; i++)
        {
            foreach (byte[] buffer in piece)
            {
                file.Write(compressed ? Recompressed(buffer, i * span) : Shifted(buffer, i * span));
            }
        }
    }

    private static (byte[] First, List<byte[]> Buffers, long Span) Piece(bool compressed)
    {
        EtlWriter writer = new() { BufferBytes = BufferBytes };
        List<EtlRecord> events = new();
        long us = 0;
        Random random = new(1);
        while (events.Count * 110L < (long)PieceBuffers * BufferBytes)
        {
            ulong tcb = 0xFFFF_A000_0000_0000 + ((ulong)random.Next(64) * 0x1000);
            TcpipEvents tcpip = new(writer.Origin);
            uint sequence = (uint)random.Next();
            tcpip.SendPosted(us, tcb, 100, sequence).DataSent(us + 1, tcb, 100, sequence).DataReceived(us + 30, tcb, 64, sequence)
                .TimerStarted(us + 31, tcb, 2, 40).CumulativeAck(us + 60, tcb, 100, sequence + 100).TimerStopped(us + 61, tcb, 2);
            int processor = random.Next(Processors);
            events.AddRange(tcpip.Records.Select(r => r with { Processor = processor }));
            us += 5;
        }

        events.Sort((a, b) => a.Time.CompareTo(b.Time));
        byte[] trace = writer.Add([.. events]).ToArray();
        List<byte[]> buffers = [];
        for (int at = BufferBytes; at < trace.Length; at += BufferBytes)
        {
            buffers.Add(trace[at..(at + BufferBytes)]);
        }

        // Compression is marked where a session marks it: mode in the log file header, format in the first buffer.
        byte[] first = trace[..BufferBytes];
        if (compressed)
        {
            BinaryPrimitives.WriteUInt32LittleEndian(first.AsSpan(0x48 + 0x20 + 0x20), 0x0400_0000);
        }

        return (first, buffers, (us + 100) * 10);
    }

    private static byte[] Shifted(byte[] buffer, long by)
    {
        byte[] copy = (byte[])buffer.Clone();
        int valid = BinaryPrimitives.ReadInt32LittleEndian(copy.AsSpan(4));
        for (int at = 0x48; at + 0x18 <= valid;)
        {
            Span<byte> time = copy.AsSpan(at + 0x10);
            BinaryPrimitives.WriteInt64LittleEndian(time, BinaryPrimitives.ReadInt64LittleEndian(time) + by);
            at += (BinaryPrimitives.ReadUInt16LittleEndian(copy.AsSpan(at)) + 7) & ~7;
        }

        return copy;
    }

    private static byte[] Recompressed(byte[] buffer, long by)
    {
        byte[] plain = Shifted(buffer, by);
        int valid = BinaryPrimitives.ReadInt32LittleEndian(plain.AsSpan(4));
        byte[] packed = XpressCompressor.Compress(plain.AsSpan(0x48, valid - 0x48));
        byte[] result = new byte[0x48 + packed.Length];
        plain.AsSpan(0, 0x48).CopyTo(result);
        packed.CopyTo(result, 0x48);
        BinaryPrimitives.WriteInt32LittleEndian(result, result.Length);
        result[0x34] |= 0x40;
        return result;
    }
}
