using LatencyTuner.Core.Analysis.Loads;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Measurement.Scheduling;
using LatencyTuner.Core.Statistics;
using LatencyTuner.Tests.Measurement;
using Xunit;

namespace LatencyTuner.Tests.Analysis.Loads;

/// <summary>Whether the path was full, or what else limited the load.</summary>
public sealed class LoadJudgements
{
    private static readonly HostUse Calm = new() { Processors = 8, MachineBusyShare = 0.1, ProcessProcessors = 0.3 };

    private static readonly LoadFacts Full = new()
    {
        Up = true,
        Connections = 8,
        Bytes = 10_000_000,
        Elapsed = TimeSpan.FromSeconds(8),
        BytesPerSecond = [[1.2e6, 1.3e6, 1.2e6, 1.3e6], [1.3e6, 1.2e6, 1.3e6, 1.2e6]],
        BusyShare = 1,
        RwndLimitedShare = 0.02,
        SndbufLimitedShare = 0.03,
        CwndLimitedShare = 0.95,
        RetransmittedSegments = 12,
        RttUs = 150_000,
        MinRttUs = 5_000,
        Client = [Calm],
        Server = [Calm],
    };

    private static void Judges(bool? saturated, LoadLimit limit, LoadFacts facts)
    {
        LoadJudgement judgement = LoadJudgement.Of(facts);
        Assert.Equal((saturated, limit), (judgement.Saturated, judgement.LimitedBy));
        Rig.AssertSentence(judgement.Because);
    }

    [Fact]
    public void Path_Full() => Judges(true, LoadLimit.Path, Full);

    [Fact]
    public void Path_FullOnASystemThatCountsOnlyLosses() => Judges(true, LoadLimit.Path, Full with
    {
        BusyShare = null,
        RwndLimitedShare = null,
        SndbufLimitedShare = null,
        CwndLimitedShare = null,
        RetransmittedSegments = null,
        RetransmittedBytes = 14_000,
        RttUs = null,
        MinRttUs = null,
    });

    [Fact]
    public void NoEvidence_CannotTell() => Judges(null, LoadLimit.Unknown, Full with
    {
        BusyShare = null,
        RwndLimitedShare = null,
        SndbufLimitedShare = null,
        CwndLimitedShare = null,
        RetransmittedSegments = 0,
        RttUs = 5_100,
    });

    [Theory]
    [InlineData(true, "this end")]
    [InlineData(false, "the server")]
    public void NoCounters_CannotTell_AndSaysWhose(bool up, string whose)
    {
        LoadFacts uncounted = Full with
        {
            Up = up,
            BusyShare = null,
            RwndLimitedShare = null,
            SndbufLimitedShare = null,
            CwndLimitedShare = null,
            RetransmittedSegments = null,
            RttUs = null,
            MinRttUs = null,
        };

        Judges(null, LoadLimit.Unknown, uncounted);
        Assert.Contains("No kernel counters of " + whose, LoadJudgement.Of(uncounted).Because, StringComparison.Ordinal);
    }

    [Fact]
    public void OneMachine_HasNoPath() => Judges(false, LoadLimit.NoPath, Full with { SameMachine = true });

    [Fact]
    public void Client_OutOfProcessors() =>
    Judges(false, LoadLimit.ClientProcessors, Full with { Client = [Calm, Calm with { MachineBusyShare = 0.97, ProcessProcessors = 4 }] });

    [Fact]
    public void Client_ThreadsOutOfProcessors() =>
    Judges(false, LoadLimit.ClientProcessors, Full with { Connections = 1, Client = [Calm with { MachineBusyShare = 0.13, ProcessProcessors = 0.98 }] });

    [Fact]
    public void Server_OutOfProcessors() =>
    Judges(false, LoadLimit.ServerProcessors, Full with { Server = [Calm with { MachineBusyShare = 0.99, ProcessProcessors = 7 }] });

    [Fact]
    public void Machine_BusyWithSomethingElse_IsNotTheLoad() => Judges(true, LoadLimit.Path, Full with { Client = [Calm with { MachineBusyShare = 1 }] });

    [Fact]
    public void Machine_BusyWithSomethingElse_NeedsMoreThanTheCongestionWindow() =>
        Judges(null, LoadLimit.Unknown, Full with { Client = [Calm with { MachineBusyShare = 1 }], RetransmittedSegments = 0, RttUs = 5_200 });

    [Fact]
    public void Rising_CannotTell() => Judges(null, LoadLimit.Time, Full with { BytesPerSecond = [[1e5, 2e5, 4e5, 8e5], [1e5, 2e5, 4e5, 8e5]] });

    [Fact]
    public void Window_IsNotThePath() => Judges(false, LoadLimit.ReceiveWindow, Full with { RwndLimitedShare = 0.8, CwndLimitedShare = 0.1 });

    [Fact]
    public void SendBuffer_IsNotThePath() => Judges(false, LoadLimit.SendBuffer, Full with { SndbufLimitedShare = 0.7, CwndLimitedShare = 0.2 });

    [Fact]
    public void Sender_WithNothingUnderWay_CannotTell() => Judges(null, LoadLimit.Unknown, Full with { BusyShare = 0.4 });

    [Fact]
    public void BytesSpent_CannotTell() => Judges(null, LoadLimit.Bytes, Full with { BytesSpent = true });

    [Fact]
    public void Broken_CannotTell() => Judges(null, LoadLimit.Failures, Full with { Failed = 2, Failure = "the responder closed the connection" });

    [Fact]
    public void Nothing_CannotTell() => Judges(null, LoadLimit.Unknown, Full with { Bytes = 0 });

    [Theory]
    [InlineData(150, 140, 160, true)]
    [InlineData(150, 20, 300, false)]
    [InlineData(29, 28, 30, false)]
    public void Finding_NeedsTheLowEndOfTheInterval(double addedMs, double lowMs, double highMs, bool found)
    {
        Finding? finding = Evaluate(Full, new AddedLatency(addedMs * 1e6, lowMs * 1e6, highMs * 1e6), idleMs: 5);

        Assert.Equal(found, finding is not null);
        Assert.True(finding is null or { Id: "LT132", Side: Side.Network, Severity: Severity.Error });
    }

    [Fact]
    public void Finding_OnALongPath_IsHeldAgainstItsRoundTrip() => Assert.Null(Evaluate(Full, new AddedLatency(150e6, 140e6, 160e6), idleMs: 100));

    [Fact]
    public void Finding_NeverWithoutAFullPath() => Assert.All(
        new[] { Full with { SameMachine = true }, Full with { BusyShare = 0.1 }, Full with { RwndLimitedShare = 0.9 } },
        facts => Assert.Null(Evaluate(facts, new AddedLatency(500e6, 490e6, 510e6), idleMs: 5)));

    [Fact]
    public void Finding_IsConfirmedByTheKernel()
    {
        AddedLatency added = new(150e6, 140e6, 160e6);

        Assert.Equal(Confidence.Confirmed, Evaluate(Full, added, 5)!.Confidence);
        Assert.Equal(Confidence.Likely, Evaluate(Full with { RttUs = null }, added, 5)!.Confidence);
    }

    private static Finding? Evaluate(LoadFacts facts, AddedLatency added, double idleMs) =>
        LoadBufferbloatRule.Evaluate(
            [(facts, LoadJudgement.Of(facts))], added, idleMs * 1e6, added.ValueNs, added.ValueNs + (idleMs * 1e6), 500, "db1", SeverityLimits.Standard);
}
