using System.Buffers.Binary;
using System.IO.Compression;
using System.Net;
using LatencyTuner.Core.Etw;
using LatencyTuner.Tests.Etw;

namespace LatencyTuner.Fuzz;

/// <summary>
/// A trace from a seed: a sound one of every header form, or a small real one where there are some, in which some fields lie, some bytes are
/// flipped, cut, repeated or swapped; sometimes packed.
/// </summary>
internal sealed class RandomTrace(Random random)
{
    /// <summary>Real traces larger than this would only be damaged where nothing looks.</summary>
    private const int LargestReal = 96 << 10;

    private static readonly uint[] Edges = [
        0, 1, 7, 8, 0x10, 0x20, 0x40, 0x47, 0x48, 0x49, 0x50, 0x7F, 0x80, 0xFF, 0x100, 0x400, 0x1000, 0x7FFF, 0x8000, 0xFFFF, 0x1_0000, 0x400_0000,
        0x7FFF_FFFF, 0x8000_0000, uint.MaxValue];

    private static readonly Guid Provider = new("11111111-2222-3333-4444-555555555555");
    private static readonly Guid KernelProcess = new("22fb2cd6-0e7b-422b-a0c7-2fad1fd0e716");
    private static readonly Guid Ndis = new("2ed6006e-4729-4609-b423-3ee7bcd678ef");

    private static readonly byte[][] Sound = [.. Made(), .. Real()];

    /// <summary>The bytes of the file.</summary>
    public byte[] Build()
    {
        byte[] bytes = Damage(Sound[random.Next(Sound.Length)]);
        return random.Next(24) switch
        {
            0 => Damage(Gzip(bytes)),
            1 => Gzip(bytes),
            2 => Damage(Zip(bytes)),
            3 => Zip(bytes),
            _ => bytes,
        };
    }

    /// <summary>How a trace describes an event: here 1332 with its first three fields, the last one a string.</summary>
    internal static byte[] Description()
    {
        ByteWriter writer = new ByteWriter().Guid(TcpEventDecoder.TcpipProvider).Guid(default).U16(1332).U8(0).U8(0).U8(4).U8(0).U16(0).U64(1).U32(0);
        for (int i = 0; i < 12; i++)
        {
            writer.U32(0);
        }

        writer.U32(3).U32(3).U32(0);
        foreach ((int type, uint name) in new[] { (16, 0xB8u), (8, 0xC0u), (1, 0xCAu) })
        {
            writer.U32(0).U32(name).U16((ushort)type).U16(0).U32(0).U16(1).U16(0).U32(0);
        }

        return writer.Text("Tcb").Text("Cwnd").Text("Text").ToArray();
    }

    private static IEnumerable<byte[]> Made()
    {
        IPEndPoint a = new(IPAddress.Loopback, 1), b = new(IPAddress.IPv6Loopback, 2);
        foreach ((int pointerSize, bool compressed) in new[] { (8, false), (4, false), (8, true), (4, true) })
        {
            EtlWriter writer = new()
            {
                PointerSize = pointerSize,
                Compressed = compressed,
                BufferBytes = 1_024,
                LoggerName = compressed ? "Relogger" : "LatencyTuner",
            };
            TcpipEvents tcpip = new TcpipEvents(writer.Origin, pointerSize).Connected(1, 7, a, b, 9).TemplateParameters(2, 7, 4, 2).Rundown(3, 8, b, a, 9);
            for (int i = 0; i < 6; i++)
            {
                tcpip.SendPosted(10 * i, 7, 100, (uint)i).DataSent((10 * i) + 1, 7, 100, (uint)i).CumulativeAck((10 * i) + 2, 7, 100, (uint)i)
                    .TimerStarted((10 * i) + 3, 7, 2, 40);
            }

            long at = writer.Origin;
            byte[] frame = [.. new byte[12], 8, 0, .. Datagrams.V4(Datagrams.Tcp(40), 6)];
            writer.Add(tcpip.Records).Add(
                EtlRecord.Manifest(at + 500, 1, Provider, 1, 0, new byte[9], pointerSize, items: [(1, new byte[16]), (6, new byte[24])]),
                EtlRecord.Classic(at + 501, 2, new("bbccf6c1-6cd1-48c4-80ff-839482e37671"), 32, 0, Description(), pointerSize),
                EtlRecord.PerfInfo(at + 502, 1, 6, 26, 2, new byte[64], pointerSize, counters: 2),
                EtlRecord.Kernel(at + 503, 1, 6, 12, 2, new byte[48], pointerSize),
                EtlRecord.Kernel(at + 504, 1, 3, 3, 3, KernelProcessStart(pointerSize), pointerSize),
                EtlRecord.Manifest(
                    at + 505, 1, KernelProcess, 1, 0, new ByteWriter().U32(9).U64(1).U32(4).U32(0).Text(@"\Device\a.exe").ToArray(), pointerSize),
                EtlRecord.Manifest(at + 506, 1, Ndis, 1001, 0, Fragment(frame[..20]), pointerSize, keyword: 0x4000_0001),
                EtlRecord.Manifest(at + 507, 1, Ndis, 1001, 0, Fragment(frame[20..]), pointerSize, keyword: 0x8000_0001),
                EtlRecord.Message(at + 508, 1, new byte[20])).Add([.. PktMonEvents.Packet(at + 600, 1, frame, 3)]);
            yield return writer.ToArray();
        }
    }

    private static byte[] KernelProcessStart(int pointerSize) => new ByteWriter()
        .Pointer(1, pointerSize).U32(9).U32(4).U32(0).U32(0).Pointer(2, pointerSize).U32(0).Raw("a.exe\0"u8).Text("a.exe -b").ToArray();

    private static byte[] Fragment(byte[] bytes) => new ByteWriter().U32(5).U32(5).U32((uint)bytes.Length).Raw(bytes).U64(0).U64(0).ToArray();

    private static IEnumerable<byte[]> Real()
    {
        string samples = Path.Combine(Environment.GetEnvironmentVariable("LATENCYTUNER_SHARED") ?? "", "samples", "etl");
        return new[] { "perfview/primitive-types.etl.zip", "airbus/lxcore_kernel.etl", "airbus/AMSITrace.etl" }
            .Select(n => new FileInfo(Path.Combine(samples, n)))
            .Where(f => f.Exists && f.Length < LargestReal).Select(f => File.ReadAllBytes(f.FullName));
    }

    private static byte[] Gzip(byte[] bytes)
    {
        using MemoryStream packed = new();
        using (GZipStream gzip = new(packed, CompressionLevel.Fastest, leaveOpen: true))
        {
            gzip.Write(bytes);
        }

        return packed.ToArray();
    }

    private static byte[] Zip(byte[] bytes)
    {
        using MemoryStream packed = new();
        using (ZipArchive zip = new(packed, ZipArchiveMode.Create, leaveOpen: true))
        {
            using Stream member = zip.CreateEntry("a.etl", CompressionLevel.Fastest).Open();
            member.Write(bytes);
        }

        return packed.ToArray();
    }

    private byte[] Damage(byte[] trace)
    {
        byte[] damaged = (byte[])trace.Clone();
        for (int n = random.Next(1, 8); n > 0 && damaged.Length > 16; n--)
        {
            // Most of what decides is at the head of a buffer or of an event.
            int at = random.Next(3) == 0 ? random.Next(Math.Min(damaged.Length, 0x200)) : random.Next(damaged.Length);
            switch (random.Next(8))
            {
                case 0:
                    damaged[at] ^= (byte)(1 << random.Next(8));
                    break;
                case 1:
                    damaged[at] = (byte)random.Next(256);
                    break;
                case 2 or 3 when at + 4 <= damaged.Length:
                    BinaryPrimitives.WriteUInt32LittleEndian(damaged.AsSpan(at & ~3), Edges[random.Next(Edges.Length)]);
                    break;
                case 4 or 5 when at + 2 <= damaged.Length:
                    BinaryPrimitives.WriteUInt16LittleEndian(damaged.AsSpan(at & ~1), (ushort)Edges[random.Next(Edges.Length)]);
                    break;
                case 6 when random.Next(4) == 0:
                    damaged = damaged[..at];
                    break;
                default:
                    int length = Math.Min(random.Next(200), damaged.Length - at);
                    int from = random.Next(damaged.Length - length + 1);
                    damaged.AsSpan(from, length).ToArray().CopyTo(damaged.AsSpan(at));
                    break;
            }
        }

        return damaged;
    }
}
