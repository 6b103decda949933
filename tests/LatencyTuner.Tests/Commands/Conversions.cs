using System.Diagnostics;
using System.Net;
using LatencyTuner.Core.Capture;
using LatencyTuner.Core.Etw;
using LatencyTuner.Fuzz;
using LatencyTuner.Tests.Etw;
using Xunit;

namespace LatencyTuner.Tests.Commands;

/// <summary><c>convert</c>: what stands in the capture it writes.</summary>
public sealed class Conversions
{
    private static readonly Guid Rundown = new("9b79ee91-b5fd-41c0-a243-4248e266e9d0");
    private static readonly Guid SystemConfig = new("01853a65-418f-4f36-aefc-dc0f1d2fd235");

    /// <summary>
    /// One packet of a connection that an event gives to a process, one of another, one of NDIS; names at the end, as merged traces have them.
    /// </summary>
    private static byte[] Trace()
    {
        EtlWriter writer = new();
        long at = writer.Origin;
        byte[] ethernet = [.. new byte[12], 8, 0];
        byte[] known = [.. ethernet, .. Datagrams.V4(Datagrams.Tcp(40), 6)];
        byte[] reply = (byte[])known.Clone();
        known.AsSpan(26, 4).CopyTo(reply.AsSpan(30));
        known.AsSpan(30, 4).CopyTo(reply.AsSpan(26));
        known.AsSpan(34, 2).CopyTo(reply.AsSpan(36));
        known.AsSpan(36, 2).CopyTo(reply.AsSpan(34));
        byte[] other = (byte[])known.Clone();
        other[35]++;
        IPEndPoint source = new(new IPAddress(known[26..30]), (known[34] << 8) | known[35]), destination = new(
            new IPAddress(known[30..34]), (known[36] << 8) | known[37]);
        writer.Add(new TcpipEvents(at).Connected(1, 7, source, destination, 1_234).Records).Add(
            [.. PktMonEvents.Packet(at + 100, 1, known, 3), .. PktMonEvents.Packet(at + 200, 2, reply, 3), .. PktMonEvents.Packet(at + 300, 3, other)]).Add(
            EtlRecord.Manifest(at + 400, 1, TracePacketReader.NdisProvider, 1001, 0, Ndis(known, 12), keyword: 0xC000_0001),
            EtlRecord.Manifest(
                at + 500, 0, TracePacketReader.PktMonProvider, 20, 0,
                new ByteWriter().U16(11).U16(9).Text("NetVsc.sys").Text("Microsoft Hyper-V Network Adapter").ToArray()),
            EtlRecord.Manifest(at + 501, 0, TracePacketReader.PktMonProvider, 30, 0, new ByteWriter().U16(11).U16(1).U32(5).ToArray()),
            EtlRecord.Manifest(at + 502, 0, TracePacketReader.PktMonProvider, 30, 0, new ByteWriter().U16(11).U16(2).U32(99).ToArray()),
            EtlRecord.Classic(at + 503, 0, Rundown, 36, 0, Adapter(5, "Ethernet 3", "Microsoft Hyper-V Network Adapter #3")),
            EtlRecord.Classic(
                at + 504, 0, SystemConfig, 13, 2, new ByteWriter().U64(1).U32(6).U32(12).U32(12).Text("Intel X710").Text("10.0.0.1").Text("").ToArray()),
            EtlRecord.Kernel(at + 505, 0, 3, 4, 3, new ByteWriter().U64(1).U32(1_234).U32(4).U32(0).U32(0).U64(2).U32(0).Raw("sqlservr.exe\0"u8).ToArray()));
        return writer.ToArray();
    }

    private static byte[] Ndis(byte[] frame, uint adapter) =>
        new ByteWriter().U32(adapter).U32(adapter).U32((uint)frame.Length).Raw(frame).U64(0).U64(0).ToArray();

    private static byte[] Adapter(uint index, string alias, string description)
    {
        ByteWriter writer = new ByteWriter().U64(6 << 24).U32(index).Guid(default).Text(alias);
        writer.Zeros(28 + 514 - writer.Length).Text(description);
        return writer.Zeros(28 + 1_028 - writer.Length).Zeros(200).ToArray();
    }

    /// <summary>What pktmon of 24H2 writes: a number for each appearance, directions, and drops.</summary>
    [Fact]
    public void Appearances_OfOnePacket_AreWrittenOnceWithTheirDirectionAndDrop()
    {
        EtlWriter writer = new();
        long at = writer.Origin + 100;
        byte[] sent = PktMonEvents.Segment(500, 200), received = PktMonEvents.Segment(9_500, 64);
        for (ushort c = 1; c <= 6; c++)
        {
            writer.Add(PktMonEvents.Appearance(at + (c * 10), c, sent, c, direction: 2));
            writer.Add(PktMonEvents.Appearance(at + 1_000 + (c * 10), 10ul + c, received, (ushort)(7 - c), direction: 3, dropReason: c == 6 ? 14u : 0));
        }

        using TempFolder folder = new();
        File.WriteAllBytes(folder["made.etl"], writer.ToArray());
        string shown = CliRun.Of("convert", folder["made.etl"], folder["out.pcapng"]).Done().Out;

        Assert.Contains("2 packets written; left out: 10 copies", shown, StringComparison.Ordinal);
        Assert.Contains("This machine dropped 1 packet:", shown, StringComparison.Ordinal);
        byte[] written = File.ReadAllBytes(folder["out.pcapng"]);
        Assert.Contains("dropped by pktmon component 1, reason 14", System.Text.Encoding.UTF8.GetString(written), StringComparison.Ordinal);
        Assert.Equal([2u, 1u], Directions(written));
        Assert.Contains(
            "the recording machine itself dropped packets [PktMon event 170]: 1 packet by pktmon component 1, reason 14",
            CliRun.Of("analyze", folder["made.etl"], "--format", "json").Out, StringComparison.Ordinal);
    }

    /// <summary>The flags (option 2) of each enhanced packet block.</summary>
    private static IEnumerable<uint> Directions(byte[] pcapng)
    {
        for (int at = 0; at + 12 <= pcapng.Length; at += BitConverter.ToInt32(pcapng, at + 4))
        {
            if (BitConverter.ToInt32(pcapng, at) != 6)
            {
                continue;
            }

            int end = at + BitConverter.ToInt32(pcapng, at + 4) - 4;
            int option = at + 28 + ((BitConverter.ToInt32(pcapng, at + 20) + 3) & ~3);
            while (option + 4 <= end && BitConverter.ToUInt16(pcapng, option) is not (0 or 2))
            {
                option += 4 + ((BitConverter.ToUInt16(pcapng, option + 2) + 3) & ~3);
            }

            yield return BitConverter.ToUInt16(pcapng, option) == 2 ? BitConverter.ToUInt32(pcapng, option + 4) : 0;
        }
    }

    [Fact]
    public void Capture_HasThePacketsWithTheirTimes()
    {
        using TempFolder folder = new();
        CliRun run = CliRun.Of("convert", folder.Write("a.etl", Trace()), folder["a.pcapng"]).Done();

        Assert.Contains("4 packets written; left out: 4 copies of these packets, 0 unreadable packets", run.Out, StringComparison.Ordinal);
        using ICaptureReader reader = CaptureContainer.Open(File.OpenRead(folder["a.pcapng"]), "a.pcapng");
        List<(long Us, int Interface, int Length)> frames = [];
        long start = (new DateTimeOffset(2026, 11, 20, 8, 30, 0, TimeSpan.Zero) - DateTimeOffset.UnixEpoch).Ticks / 10;
        while (reader.TryRead(out CapturedFrame frame))
        {
            frames.Add(((frame.TimeNs / 1000) - start, frame.InterfaceId, frame.OriginalLength));
        }

        Assert.Equal([(10, 0, 94), (20, 0, 94), (30, 0, 94), (40, 1, 94)], frames.Select(f => (f.Us, f.Interface, f.Length)));
        Assert.Null(reader.Damage);
    }

    [Fact]
    public void Tshark_ReadsInterfacesAndProcesses()
    {
        using TempFolder folder = new();
        CliRun.Of("convert", folder.Write("a.etl", Trace()), folder["a.pcapng"]).Done();
        string[] lines = Tshark(folder["a.pcapng"], "frame.interface_name", "frame.interface_description", "frame.comment");

        string place = "Ethernet 3 (pktmon component 11)\tpktmon component 11, NetVsc.sys, Microsoft Hyper-V Network Adapter, interface index 5\t";
        Assert.Equal(
            [
                place + "process 1234 (sqlservr.exe)",
                place + "process 1234 (sqlservr.exe)",
                place + "running process 4242",
                "interface index 12\tinterface index 12, Intel X710\tprocess 1234 (sqlservr.exe)",
            ],
            lines);
    }

    [Fact]
    public void Tshark_ReadsTheRealTrace()
    {
        string path = EtlSamples.Path("demikernel/PktMon.etl");
        using TempFolder folder = new();
        CliRun run = CliRun.Of("convert", path, folder["a.pcapng"]).Done();
        string[] lines = Tshark(folder["a.pcapng"], "frame.interface_name", "_ws.col.Protocol");

        Assert.Contains("38 packets written; left out: 76 copies", run.Out, StringComparison.Ordinal);
        Assert.Equal(38, lines.Length);
        Assert.All(lines, line => Assert.Matches("^Ethernet 3.* \\(pktmon component [0-9]+\\)\tICMP$", line));
    }

    private static string[] Tshark(string file, params string[] fields)
    {
        ProcessStartInfo start = new("tshark") { RedirectStandardOutput = true, RedirectStandardError = true, UseShellExecute = false };
        foreach (string argument in (string[])["-r", file, "-T", "fields", .. fields.SelectMany(f => new[] { "-e", f })])
        {
            start.ArgumentList.Add(argument);
        }

        Process? tshark = null;
        try
        {
            tshark = Process.Start(start);
        }
        catch (System.ComponentModel.Win32Exception)
        {
            Assert.Skip("tshark is not installed.");
        }

        using (tshark)
        {
            tshark!.ErrorDataReceived += (_, _) => { };
            tshark.BeginErrorReadLine();
            string text = tshark.StandardOutput.ReadToEnd();
            tshark.WaitForExit();
            return text.Split('\n', StringSplitOptions.RemoveEmptyEntries);
        }
    }
}
