using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Recordings.Captures;
using LatencyTuner.Core.Recordings.Captures.Rules;
using LatencyTuner.Tests.Capture;
using Xunit;

namespace LatencyTuner.Tests.Recordings.Captures;

/// <summary>
/// Every millisecond has one owner: what findings charge on a connection adds up to no more than its active time, and with the client's pauses,
/// which are no active time, to no more than it lasted.
/// </summary>
public sealed class OneOwner
{
    // Rounding of each finding's cost, milliseconds.
    private const double RoundingMs = 1e-3;

    [Fact]
    public void LabelledCaptures_ChargeEachMillisecondOnce() =>
        Assert.All(Directory.GetFiles(Path.GetDirectoryName(Samples.Truth("labels.json"))!, "*.pcap"), file => Holds(TruthScorer.Analyse(file), file));

    [Fact]
    public void RealCaptures_ChargeEachMillisecondOnce() =>
        Assert.All(
            Directory.GetFiles(Path.GetDirectoryName(Samples.Pcap("REFERENCE.md"))!, "d*.pcap*").Where(f => !f.Contains("dx_trunc", StringComparison.Ordinal)),
            file => Holds(TruthScorer.Analyse(file), file));

    // Where stalls own all of the time, none is left of which a server or a client could be told.
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void TimeThatStallsOwn_IsNobodysProcessing(bool owned)
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(20).FromClient(20.1, 1000, 0);
        for (uint i = 0; i < 4; i++)
        {
            double at = 50 + (i * 900);
            sequence.FromClient(at, 1000 + (i * 100), 100, ack: 5000 + (i * 100)).FromServer(at + 20, 1100 + (i * 100), 0, 5000 + (i * 100));
            sequence.FromServer(at + 420, 1100 + (i * 100), 100, 5000 + (i * 100)).FromClient(at + 420.1, 1100 + (i * 100), 0, ack: 5100 + (i * 100));
        }

        CaptureEvidence evidence = sequence.Evidence();
        if (owned)
        {
            Assert.Single(evidence.Connections).Sides[1].AddOwned(StallKind.LossRto, 3_600_000_000_000);
        }

        Assert.Equal(!owned, CaptureFindings.Of(evidence).Any(f => f.Id == "LT141"));
    }

    [Fact]
    public void GeneratedCaptures_ChargeEachMillisecondOnce()
    {
        HashSet<string> ids = [];
        for (int seed = 0; seed < 400; seed++)
        {
            CaptureEvidence evidence = new RandomExchanges(seed).Evidence();
            Holds(evidence, $"seed {seed}");
            ids.UnionWith(CaptureFindings.Of(evidence).Where(f => f.CostMs > 0).Select(f => f.Id));
        }

        // They have what could overlap.
        Assert.Superset(new HashSet<string> { "LT101", "LT121", "LT131", "LT132", "LT141", "LT142" }, ids);
    }

    [Theory]
    [InlineData(8)]
    [InlineData(20)]
    public void TimeInAQueue_IsNotTheServersToo(double baseMs)
    {
        // An upload fills a queue of 300 ms, and short requests of the same connection wait behind it.
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(baseMs).FromClient(baseMs + 0.05, 1000, 0);
        (uint next, uint answer, double at) = (1000, 5000, 100);
        for (int request = 0; request < 10; request++)
        {
            for (int i = 0; i < 60; i++, next += 1460)
            {
                sequence.FromClient(at + (i * 5), next, 1460, ack: answer);
                if (i % 2 == 1 && i > 20)
                {
                    sequence.FromServer(at + (i * 5) + 0.1, next + 1460 - (21 * 1460), 0, answer);
                }
            }

            at += 300;
            for (int i = 0; i < 20; i++)
            {
                sequence.FromServer(at += 5, next - (uint)((19 - i) * 1460), 0, answer);
            }

            sequence.FromServer(at += 40, next, 100, answer).FromClient(at += 0.1, next, 0, ack: answer += 100);
        }

        CaptureEvidence evidence = sequence.Evidence();
        IReadOnlyList<Finding> findings = CaptureFindings.Of(evidence);

        Assert.Contains(findings, f => f.Id == "LT132");
        double shares = findings.Where(f => f.Id != "LT142").Sum(f => f.CostShare ?? 0);
        Assert.True(shares <= 1.0001, string.Join("\n", findings.Select(f => $"{f.Id} {f.CostShare}")));
    }

    /// <summary>What is charged twice; null for nothing.</summary>
    internal static string? Complaint(CaptureEvidence evidence)
    {
        try
        {
            Holds(evidence, "shares");
            return null;
        }
        catch (Exception e) when (e is Xunit.Sdk.XunitException)
        {
            return e.Message;
        }
    }

    private static void Holds(CaptureEvidence evidence, string of)
    {
        Assert.All(evidence.Connections, c => Divided(c, of));
        foreach (ConnectionFacts c in evidence.Connections)
        {
            IReadOnlyList<Finding> alone = CaptureFindings.Of(new CaptureEvidence { Connections = [c], Hosts = evidence.Hosts, Limits = evidence.Limits });
            Charged(alone, [c], of);
        }

        Charged(CaptureFindings.Of(evidence), evidence.Connections, of);
    }

    private static void Charged(IReadOnlyList<Finding> findings, IReadOnlyList<ConnectionFacts> connections, string of)
    {
        double active = 0;
        double pauses = 0;
        foreach (Finding finding in findings)
        {
            (active, pauses) = finding.Id == "LT142" ? (active, pauses + (finding.CostMs ?? 0)) : (active + (finding.CostMs ?? 0), pauses);
            Assert.InRange(finding.CostShare ?? 0, 0, 1);
        }

        string charged = string.Join(", ", findings.Select(f => $"{f.Id} {f.CostMs:0.000} ms"));
        double rounding = RoundingMs * findings.Count;
        Assert.True(active <= (connections.Sum(c => c.ActiveNs) / 1e6) + rounding, $"{of}: {charged}");
        Assert.True(active + pauses <= (connections.Sum(c => c.LastNs - c.FirstNs) / 1e6) + rounding, $"{of}: {charged}");
    }

    private static void Divided(ConnectionFacts c, string of)
    {
        DividedTime time = c.Time;
        long charged = time.ServerNs + time.PathNs + time.QueueNs(0) + time.QueueNs(1);
        foreach (StallKind kind in Enum.GetValues<StallKind>())
        {
            charged += time.StallNs(0, kind) + time.StallNs(1, kind);
        }

        Assert.True(charged <= c.ActiveNs, of);
        Assert.True(charged + time.ClientNs + time.BeforeFirstNs <= Math.Max(c.LastNs - c.FirstNs, c.ActiveNs), of);
    }
}
