using System.Diagnostics;
using LatencyTuner.Core.Analysis.Ownership;
using LatencyTuner.Core.Measurement;
using LatencyTuner.Core.Measurement.Loops;
using LatencyTuner.Core.Reporting.Measurement;
using LatencyTuner.Core.Reporting.Model;
using Xunit;

namespace LatencyTuner.Tests.Lab;

/// <summary>Time whose owner is known, over a real path between two network stacks.</summary>
[Collection(LabTests.Name)]
public sealed class OwnersInTheLab
{
    private const int Times = 3;

    private static AttributionFigures Measure(LabResponder lab, int seed, TimeSpan think = default)
    {
        MeasurementPlan plan = new()
        {
            Workload = new Workload { NoDelay = true, PeerNoDelay = true, PeerThink = think },
            Duration = TimeSpan.FromSeconds(1),
            Warmup = TimeSpan.FromMilliseconds(100),
            Pin = [0],
            Watch = true,
            Seed = seed,
        };
        MeasurementResult result = lab.AtClient(() => PingPong.Run(lab.Target, plan, LabResponder.Context, CancellationToken.None));
        Assert.True(result.Complete, result.EndedBecause);
        return MeasurementReportBuilder.From(result, SampleResults.Tool).Attribution;
    }

    private static void IsOwned(Owner owner, Func<int, OwnershipFigures> verdict)
    {
        for (int seed = 1; seed <= Times; seed++)
        {
            OwnershipFigures figures = verdict(seed);
            Assert.True(
                figures.Owner == owner,
                $"{figures.Owner}: {figures.Because} {string.Join(", ", figures.Shares.Select(s => $"{s.Owner} {s.Share:0.00} ({s.MeanUs:0} us)"))}");
        }
    }

    [Fact]
    public void ThinkTime_IsTheServers()
    {
        LabTests.Require();
        using LabResponder lab = new("clean");
        IsOwned(Owner.Server, seed => Measure(lab, seed, TimeSpan.FromMilliseconds(5)).Typical!);
    }

    [Fact]
    public void LinkDelay_IsTheNetworks()
    {
        LabTests.Require();
        using LabResponder lab = new("delay-5ms");
        IsOwned(Owner.Network, seed => Measure(lab, seed).Typical!);
    }

    /// <summary>Programs that compete for the client's processor make its tail; the usual request does not meet them.</summary>
    [Fact]
    public void ProcessorHog_IsTheClients()
    {
        LabTests.Require();
        using LabResponder lab = new("clean");
        // The responder is in the same process here: on a machine that others use too, its thread has to wait as well, and the tail is its own.
        HostFigures before = Measure(lab, 1).Client!;
        Assert.SkipUnless(before.MachineBusyShare < 0.6, $"Others use this machine: {before.MachineBusyShare:0 %} of its processors are busy.");
        Process[] hogs = [.. Enumerable.Range(0, 3).Select(_ => Process.Start("taskset", ["-c", "0", "sh", "-c", "while :; do :; done"]))];
        try
        {
            OwnershipFigures[] tails = [.. Enumerable.Range(1, 5).Select(seed => Measure(lab, seed).Tail!)];
            string told = string.Join("; ", tails.Select(t => $"{t.Because} {string.Join(", ", t.Shares.Select(s => $"{s.Owner} {s.Share:0.00}"))}"));

            Assert.True(tails.Count(t => t.Owner == Owner.Client) >= 3, told);
            Assert.DoesNotContain(tails, t => t.Owner == Owner.Network);
        }
        finally
        {
            foreach (Process hog in hogs)
            {
                hog.Kill();
                hog.Dispose();
            }
        }
    }
}
