using System.Buffers.Binary;
using System.Globalization;
using System.Net;
using LatencyTuner.Core;
using LatencyTuner.Core.Etw;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Tests.Settings;
using Xunit;

namespace LatencyTuner.Tests.Etw;

/// <summary>Random damage: the reader ends, keeps its bounds, and refuses in one way only. <c>tests/fuzz/run-etl</c> runs two million cases.</summary>
public sealed class EtlFuzz(ITestOutputHelper output)
{
    private const int DefaultCases = 10_000;
    private const int Seed = 20_261_121;

    /// <summary>The smallest event takes 16 bytes after rounding.</summary>
    private const int SmallestEvent = 16;

    private static readonly uint[] Edges = [0, 1, 7, 8, 0x10, 0x20, 0x40, 0x47, 0x48, 0x49, 0x50, 0x7F, 0x80, 0xFF, 0x100, 0x400, 0x1000, 0x7FFF, 0x8000, 0xFFFF, 0x1_0000, 0x400_0000, 0x7FFF_FFFF, 0x8000_0000, uint.MaxValue];

    [Fact]
    public void DamagedTraces_AreReadOrRefused()
    {
        var cases = int.TryParse(Environment.GetEnvironmentVariable("LATENCYTUNER_FUZZ_CASES"), NumberStyles.None, CultureInfo.InvariantCulture, out var wanted) ? wanted : DefaultCases;
        var traces = Traces();
        var random = new Random(Seed);
        long events = 0, decoded = 0, damages = 0, refused = 0;
        for (var i = 0; i < cases; i++)
        {
            var damaged = Damage(traces[random.Next(traces.Count)], random);
            try
            {
                using var reader = EtlReader.Open(damaged, "x.etl", new EtlReaderOptions { Threads = i % 16 == 0 ? 2 : 1, MaxUnpackedBytes = 1 << 20 });
                var counts = TcpEventDecoder.Read(reader, (in TcpEvent e, EtwPayload fields) => fields.TryGetText("Injected", out _));
                Assert.True(reader.Counts.Events <= reader.Counts.DecodedBytes / SmallestEvent);
                (events, decoded, damages) = (events + reader.Counts.Events, decoded + counts.Decoded, damages + reader.Counts.Damages.Values.Sum());
            }
            catch (ExpectedFailureException failure)
            {
                Assert.True(failure.Code == ExitCode.Input, $"case {i}: {failure}");
                refused++;
            }
            catch (Exception failure) when (failure is not Xunit.Sdk.XunitException)
            {
                Assert.Fail($"case {i}: {failure}");
            }
        }

        output.WriteLine($"cases {cases}: {events} events read, {decoded} of TCP, {damages} damages, {refused} refused");
        Assert.True(events > cases && decoded > 0 && damages > 0 && refused > 0);
        Assert.InRange(GC.GetTotalMemory(forceFullCollection: true), 0, 400L << 20);
    }

    private static List<byte[]> Traces()
    {
        IPEndPoint a = new(IPAddress.Loopback, 1), b = new(IPAddress.IPv6Loopback, 2);
        List<byte[]> traces = [];
        foreach (var (pointerSize, compressed) in new[] { (8, false), (4, false), (8, true), (4, true) })
        {
            var writer = new EtlWriter { PointerSize = pointerSize, Compressed = compressed, BufferBytes = 1_024, LoggerName = compressed ? "Relogger" : "LatencyTuner" };
            var tcpip = new TcpipEvents(writer.Origin, pointerSize).Connected(1, 7, a, b, 9).TemplateParameters(2, 7, 4, 2).Rundown(3, 8, b, a, 9);
            for (var i = 0; i < 6; i++)
                tcpip.SendPosted(10 * i, 7, 100, (uint)i).DataSent((10 * i) + 1, 7, 100, (uint)i).CumulativeAck((10 * i) + 2, 7, 100, (uint)i).TimerStarted((10 * i) + 3, 7, 2, 40);

            traces.Add(writer.Add(tcpip.Records).Add(
                EtlRecord.Manifest(writer.Origin + 500, 1, new("11111111-2222-3333-4444-555555555555"), 1, 0, new byte[9], pointerSize, items: [(1, new byte[16]), (6, new byte[24])]),
                EtlRecord.Classic(writer.Origin + 501, 2, TraceEventInfo.Class, 32, 0, Description(), pointerSize),
                EtlRecord.PerfInfo(writer.Origin + 502, 1, 6, 26, 2, new byte[64], pointerSize, counters: 2),
                EtlRecord.Kernel(writer.Origin + 503, 1, 6, 12, 2, new byte[48], pointerSize),
                EtlRecord.Message(writer.Origin + 504, 1, new byte[20])).Add([.. PktMonEvents.Packet(writer.Origin + 600, 1, new byte[60], 3)]).ToArray());
        }

        // Real ones, where they are: one of them packed.
        var samples = Path.Combine(CatalogueEntries.Shared(), "samples", "etl");
        foreach (var name in new[] { "perfview/primitive-types.etl.zip", "airbus/lxcore_kernel.etl" }.Select(n => Path.Combine(samples, n)).Where(File.Exists))
            traces.Add(File.ReadAllBytes(name));

        return traces;
    }

    /// <summary>How a trace describes an event: here 1332 with its first three fields, the last one a string.</summary>
    internal static byte[] Description()
    {
        var writer = new ByteWriter().Guid(TcpEventDecoder.TcpipProvider).Guid(default).U16(1332).U8(0).U8(0).U8(4).U8(0).U16(0).U64(1).U32(0);
        for (var i = 0; i < 12; i++)
            writer.U32(0);

        writer.U32(3).U32(3).U32(0);
        foreach (var (type, name) in new[] { (16, 0xB8u), (8, 0xC0u), (1, 0xCAu) })
            writer.U32(0).U32(name).U16((ushort)type).U16(0).U32(0).U16(1).U16(0).U32(0);

        return writer.Text("Tcb").Text("Cwnd").Text("Text").ToArray();
    }

    private static byte[] Damage(byte[] trace, Random random)
    {
        var damaged = (byte[])trace.Clone();
        for (var n = random.Next(1, 8); n > 0 && damaged.Length > 16; n--)
        {
            // Most of what decides is at the head of a buffer or of an event.
            var at = random.Next(3) == 0 ? random.Next(Math.Min(damaged.Length, 0x200)) : random.Next(damaged.Length);
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
                    var length = Math.Min(random.Next(200), damaged.Length - at);
                    var from = random.Next(damaged.Length - length + 1);
                    damaged.AsSpan(from, length).ToArray().CopyTo(damaged.AsSpan(at));
                    break;
            }
        }

        return damaged;
    }
}
