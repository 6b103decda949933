using System.Diagnostics;
using LatencyTuner.Lab;
using Xunit;

namespace LatencyTuner.Tests.Lab;

[Collection(LabTests.Name)]
public sealed class LabSessions
{
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void PingPong_TakesAtLeastTheConfiguredDelay(bool isIPv6)
    {
        using LabSession session = Start("delay-5ms");
        Assert.SkipUnless(!isIPv6 || session.Network.HasIPv6, "This kernel has no IPv6.");
        double[] times = LabPeers.RequestTimes(session, 20, [100], noDelay: true, isIPv6);
        Assert.All(times, ms => Assert.True(ms >= 5, $"{ms} ms"));
        Assert.True(session.Emulator.Statistics().ClientFrames >= 20);
    }

    [Fact]
    public void WriteWriteRead_NagleMeetsDelayedAckOnEveryRequest()
    {
        using LabSession session = Start("receiver-200ms");
        double[] times = LabPeers.RequestTimes(session, 4, [100, 100], noDelay: false);
        Assert.All(times, ms => Assert.True(ms > 150, $"{ms} ms"));
        Assert.True(session.Emulator.Statistics().ServerAcksHeld >= 4);
    }

    [Theory]
    [InlineData("receiver-200ms", new[] { 100, 100 }, true)]
    [InlineData("receiver-200ms", new[] { 200 }, false)]
    [InlineData("clean", new[] { 100, 100 }, false)]
    public void Request_WithoutNagleOrSecondWriteOrDelayedAck_DoesNotStall(string preset, int[] pieces, bool noDelay)
    {
        using LabSession session = Start(preset);
        double[] times = LabPeers.RequestTimes(session, 9, pieces, noDelay);
        Assert.True(times.Order().ElementAt(4) < 100, $"median {times.Order().ElementAt(4)} ms");
    }

    [Fact]
    public void WriteWriteRead_ClientHolds_DoesNotStallTheRequest()
    {
        using LabSession session = Start("client-receiver-200ms");
        double[] times = LabPeers.RequestTimes(session, 9, [100, 100], noDelay: false);
        Assert.True(times.Order().ElementAt(4) < 100, $"median {times.Order().ElementAt(4)} ms");
        Assert.Equal(0, session.Emulator.Statistics().ServerAcksHeld);
    }

    [Fact]
    public void IPv6_HoldStageWorksToo()
    {
        using LabSession session = Start("receiver-200ms");
        Assert.SkipUnless(session.Network.HasIPv6, "This kernel has no IPv6.");
        double[] times = LabPeers.RequestTimes(session, 2, [100, 100], noDelay: false, isIPv6: true);
        Assert.All(times, ms => Assert.True(ms > 150, $"{ms} ms"));
    }

    [Fact]
    public void Loss_IsCountedAndTheStreamStillArrivesWhole()
    {
        LabTests.Require();
        LabPreset preset = LabPreset.Find("loss-1pct")!;
        using LabSession session = new(preset, preset.Link with { ClientToServer = preset.Link.ClientToServer with { Loss = 0.05 } });
        Assert.Equal(500_000, LabPeers.Bulk(session, 500_000).Received);
        IReadOnlyList<LabDrop> drops = session.Emulator.Statistics().Drops;
        Assert.NotEmpty(drops);
        Assert.All(drops, drop =>
        {
            Assert.Equal(DropReason.Loss, drop.Reason);
            Assert.True(drop.PayloadLength > 0);
        });
    }

    [Theory]
    [InlineData("rate-10mbit-deep-queue")]
    [InlineData("rate-10mbit-shallow-queue")]
    public void Rate_IsNotExceededAndIsUsed(string preset)
    {
        using LabSession session = Start(preset);
        (double seconds, long received) = LabPeers.Bulk(session, 1_000_000);
        Assert.Equal(1_000_000, received);
        Assert.InRange(received * 8 / seconds, 1_000_000, 10_500_000);
        Assert.Equal(preset == "rate-10mbit-shallow-queue", session.Emulator.Statistics().Drops.Any(drop => drop.Reason == DropReason.QueueFull));
    }

    [Fact]
    public void Pcap_BothEdgesHoldTheFrames()
    {
        LabTests.Require();
        string folder = Directory.CreateTempSubdirectory("lab").FullName;
        try
        {
            (string? client, string? server) = (Path.Combine(folder, "c.pcap"), Path.Combine(folder, "s.pcap"));
            LabPreset preset = LabPreset.Find("clean")!;
            long frames;
            using (LabSession session = new(preset, preset.Link with { ClientPcap = client, ServerPcap = server }))
            {
                LabPeers.RequestTimes(session, 5, [100], noDelay: true);
                session.Emulator.Dispose();
                EmulatorStatistics statistics = session.Emulator.Statistics();
                frames = statistics.ClientFrames + statistics.ServerFrames;
            }

            Assert.Equal(frames, Records(client));
            Assert.True(Records(server) >= 10);
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    [Fact]
    public void Dispose_LeavesNoNamespaceAndEndsProcesses()
    {
        LabTests.Require();
        string[] names;
        using (LabSession session = new(LabPreset.Find("clean")!))
        {
            names = [session.Network.ClientNamespace, session.Network.ServerNamespace];
            Assert.All(names, name => Assert.Contains(name, LabNetwork.Namespaces()));
            Process process = LabNamespace.Start(names[0], "sleep", "60");
            session.Dispose();
            Assert.True(process.WaitForExit(10_000));
        }

        Assert.All(names, name => Assert.DoesNotContain(name, LabNetwork.Namespaces()));
    }

    [Fact]
    public void FailureHalfWay_LeavesNoNamespace()
    {
        LabTests.Require();
        HashSet<string> before = LabNetwork.Namespaces().ToHashSet();
        LabPreset preset = LabPreset.Find("clean")!;
        Assert.Throws<DirectoryNotFoundException>(() => new LabSession(preset, preset.Link with { ServerPcap = "/nowhere/at/all.pcap" }));
        Assert.Throws<ArgumentOutOfRangeException>(() => new LabSession(preset, preset.Link with { ServerToClient = new LinkSpec { DelayMs = -1 } }));
        Assert.Subset(before, LabNetwork.Namespaces().ToHashSet());
    }

    [Fact]
    public void ExistingName_IsRefusedAndKept()
    {
        LabTests.Require();
        using LabNetwork first = new();
        string name = first.ClientNamespace[..^2];
        LabException failure = Assert.Throws<LabException>(() => new LabNetwork(new LabNetworkOptions { Name = name }));
        Assert.Contains(first.ClientNamespace, failure.Message, StringComparison.Ordinal);
        Assert.Contains(first.ClientNamespace, LabNetwork.Namespaces());
    }

    [Fact]
    public void Run_ThrowsWhatTheCodeThrows()
    {
        LabTests.Require();
        using LabNetwork network = new();
        Assert.Throws<FormatException>(() => LabNamespace.Run(network.ClientNamespace, () => throw new FormatException()));
        Assert.Throws<LabException>(() => LabNamespace.Run("no-such-namespace", () => { }));
    }

    private static LabSession Start(string preset)
    {
        LabTests.Require();
        return new LabSession(LabPreset.Find(preset)!);
    }

    private static int Records(string pcap)
    {
        byte[] bytes = File.ReadAllBytes(pcap);
        Assert.Equal(0xa1b23c4d, BitConverter.ToUInt32(bytes));
        int count = 0;
        int at = 24;
        for (; at < bytes.Length; count++)
        {
            at += 16 + BitConverter.ToInt32(bytes, at + 8);
        }

        Assert.Equal(bytes.Length, at);
        return count;
    }
}
