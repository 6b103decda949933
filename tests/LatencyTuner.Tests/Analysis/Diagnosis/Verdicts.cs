using LatencyTuner.Core;
using LatencyTuner.Core.Analysis;
using LatencyTuner.Core.Analysis.Diagnosis;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Measurement.Experiments;
using LatencyTuner.Core.Measurement.Loops;
using LatencyTuner.Core.Sockets;
using Xunit;
using static LatencyTuner.Tests.SampleResults;

namespace LatencyTuner.Tests.Analysis.Diagnosis;

public sealed class Verdicts
{
    private static void NotBlamed(DiagnosisVerdict verdict)
    {
        Assert.Equal(Cause.None, verdict.Cause);
        Assert.Null(verdict.Side);
        Assert.Null(verdict.ClusterMs);
        Assert.DoesNotContain("Nagle", verdict.Text, StringComparison.OrdinalIgnoreCase);
        Assert.DoesNotContain("delayed", verdict.Text, StringComparison.OrdinalIgnoreCase);
    }

    [Theory]
    [InlineData(10)]
    [InlineData(40)]
    [InlineData(50)]
    [InlineData(100)]
    [InlineData(200)]
    public void Of_TimerAtTheServer_ConfirmedByCountersAndCure(double timerMs)
    {
        DiagnosisOutcome outcome = DiagnosisRules.Judge(Stalled(timerMs));

        DiagnosisVerdict verdict = outcome.Verdict;
        Assert.Equal(
            (Cause.NagleDelayedAck, Side.Client, Side.Server, timerMs, "fixed", Confidence.Confirmed),
            (verdict.Cause, verdict.Side, verdict.AckTimerSide, verdict.ClusterMs, verdict.TimerModel, verdict.Confidence));
        Assert.InRange(verdict.CostUsPerRequest!.Value, (timerMs + RttMs - 0.1) * 1000, (timerMs + RttMs + 0.3) * 1000);
        Assert.Contains(verdict.For, f => f == "immediate ACKs at the server removed the stall");
        Assert.Contains(verdict.For, f => f.Contains("wrong end, changed nothing", StringComparison.Ordinal));
        Assert.Empty(verdict.Against);
        NotBlamed(outcome.ReplyVerdict!);
        Finding finding = Assert.Single(outcome.Findings);
        Assert.Equal(("LT101", Severity.Info, Side.Client), (finding.Id, finding.Severity, finding.Side));
        Assert.InRange(finding.CostShare!.Value, 0.8, 1);
    }

    [Fact]
    public void Of_TimerAtTheClient_RepliesPayAndTheServerSplits()
    {
        DiagnosisOutcome outcome = DiagnosisRules.Judge(Stalled(200, replies: true));

        NotBlamed(outcome.Verdict);
        DiagnosisVerdict reply = outcome.ReplyVerdict!;
        Assert.Equal(
            (Cause.NagleDelayedAck, Side.Server, Side.Client, 200.0, Confidence.Confirmed),
            (reply.Cause, reply.Side, reply.AckTimerSide, reply.ClusterMs, reply.Confidence));
        Assert.Contains("reply", reply.AppliesTo, StringComparison.Ordinal);
        Assert.Equal("192.0.2.7", Assert.Single(outcome.Findings).Host);
        Assert.All(outcome.Fixes, f => Assert.EndsWith("-reply", f.Id, StringComparison.Ordinal));
    }

    private static Verdict Headline(DiagnosisOutcome outcome, Gate? gate = null) =>
        DiagnosisVerdict.InWords(outcome.Verdict, outcome.ReplyVerdict, outcome.Findings, gate ?? Gate.Open);

    /// <summary>Requests do not stall, replies do: the headline is about the replies, and the requests are named.</summary>
    [Theory]
    [InlineData(200)]
    [InlineData(50)]
    public void InWords_OnlyRepliesStall_TheyLead(double timerMs)
    {
        Verdict verdict = Headline(DiagnosisRules.Judge(Stalled(timerMs, replies: true)));

        Assert.Equal(("NAGLE + DELAYED ACK", Tone.Neutral, ExitCode.Done), (verdict.Word, verdict.Tone, verdict.ExitCode));
        Assert.StartsWith($"A reply written in two sends with Nagle on takes {timerMs + 2:0}", verdict.Text, StringComparison.Ordinal);
        Assert.EndsWith("Requests in two sends do not stall here.", verdict.Text, StringComparison.Ordinal);
    }

    [Fact]
    public void InWords_BothStall_TheCostlierLeadsAndBothAreNamed()
    {
        ExperimentResult result = Stalled(40);
        foreach (CellResult cell in Stalled(200, replies: true).Cells.Where(c => c.Cell.SplitReply))
        {
            double ms = cell.Response.ValueAtPercentile(50) / 1e6;
            result.With(cell.Cell, Times(400, ms), 400);
        }

        DiagnosisOutcome outcome = DiagnosisRules.Judge(result);
        Verdict verdict = Headline(outcome);

        Assert.StartsWith("A reply written in two sends", verdict.Text, StringComparison.Ordinal);
        Assert.Contains("A request written in two sends with Nagle on takes 42", verdict.Text, StringComparison.Ordinal);
        Assert.StartsWith("A request", Headline(outcome with { ReplyVerdict = outcome.Verdict }).Text, StringComparison.Ordinal);
        Assert.Contains(outcome.Fixes, f => f.Id == "no-delay-reply");
        Assert.Contains(outcome.Fixes, f => f.Id == "no-delay");
    }

    /// <summary>What cannot be told of one direction is no "no stall" of both, and what fails the gate is the headline.</summary>
    [Fact]
    public void InWords_NothingStalls_SaysNoMoreThanIsKnown()
    {
        ExperimentResult thin = Experiment();
        foreach (CellResult cell in Healthy().Cells)
        {
            thin.With(cell.Cell, Times(cell.Cell.SplitReply ? 2 : 40, cell.Response.ValueAtPercentile(50) / 1e6));
        }

        Verdict doubt = Headline(DiagnosisRules.Judge(thin));
        Assert.Equal(("CANNOT TELL", ExitCode.CannotTell), (doubt.Word, doubt.ExitCode));
        Assert.EndsWith("Requests in two sends do not stall here.", doubt.Text, StringComparison.Ordinal);
        DiagnosisOutcome healthy = DiagnosisRules.Judge(Healthy(residenceMs: 30));
        Assert.Equal(("NO STALL", Tone.Good, ExitCode.Done), (Headline(healthy).Word, Headline(healthy).Tone, Headline(healthy).ExitCode));
        Verdict gated = Headline(healthy, new Gate { FailOn = Severity.Info });
        Assert.Equal(("SERVER PROCESSING", Tone.Neutral, ExitCode.Finding), (gated.Word, gated.Tone, gated.ExitCode));
    }

    /// <summary>Timeouts of 200 ms in a fifth of the requests, each with a retransmission: no ACK timer, and the plain requests show the losses.</summary>
    [Theory]
    [InlineData(8, 203)]
    [InlineData(6, 212)]
    public void Of_LossesAtTheTimeout_AreNoTimerAndAreNamed(int lost, double ms)
    {
        ExperimentResult result = Experiment();
        foreach (CellResult cell in Healthy().Cells)
        {
            bool lossy = cell.Cell == ExperimentCell.Split || cell.Cell == ExperimentCell.OneWrite;
            double usual = cell.Response.ValueAtPercentile(50) / 1e6;
            result.With(cell.Cell, [.. Times(40 - (lossy ? lost : 0), usual), .. Times(lossy ? lost : 0, ms)], 0, lossy ? lost : 0);
        }

        DiagnosisOutcome outcome = DiagnosisRules.Judge(result);

        Assert.Equal((Cause.None, (double?)null), (outcome.Verdict.Cause, outcome.Verdict.ClusterMs));
        Assert.DoesNotContain(outcome.Verdict.For, f => f.Contains("ACK timer", StringComparison.Ordinal) && !f.Contains("no waits", StringComparison.Ordinal));
        Finding finding = Assert.Single(outcome.Findings);
        Assert.Equal((Cause.LossRto, Side.Network, Confidence.Likely, Severity.Error), (finding.Cause, finding.Side, finding.Confidence, finding.Severity));
        Assert.Equal("LOSS, TIMEOUT", Headline(outcome).Word);
    }

    [Fact]
    public void Of_NoCountersAndNoAckCall_Likely()
    {
        DiagnosisVerdict verdict = DiagnosisRules.Judge(Stalled(40, counters: false, ack: AckEffect.Unsupported)).Verdict;

        Assert.Equal((Cause.NagleDelayedAck, Confidence.Likely), (verdict.Cause, verdict.Confidence));
        Assert.Contains(verdict.Against, a => a.Contains("does not report ACKs", StringComparison.Ordinal));
        Assert.Contains(verdict.Against, a => a.Contains("no call for them", StringComparison.Ordinal));
        Assert.DoesNotContain(verdict.For, f => f.Contains("wrong end", StringComparison.Ordinal));
    }

    [Fact]
    public void Of_AckCallNotQueriable_StillConfirmedByItsEffect() =>
        Assert.Equal(Confidence.Confirmed, DiagnosisRules.Judge(Stalled(40, counters: false, ack: AckEffect.Unknown)).Verdict.Confidence);

    [Fact]
    public void Of_AckCellNotInThePlan_NotTriedRatherThanImpossible()
    {
        ExperimentResult result = Experiment([ExperimentCell.OneWrite, ExperimentCell.Split, ExperimentCell.SplitNoDelay])
            .With(ExperimentCell.OneWrite, Times(40, 1)).With(ExperimentCell.Split, Times(40, 42)).With(ExperimentCell.SplitNoDelay, Times(40, 1));

        DiagnosisOutcome outcome = DiagnosisRules.Judge(result);

        Assert.Equal(Cause.NagleDelayedAck, outcome.Verdict.Cause);
        Assert.Null(outcome.ReplyVerdict);
        Assert.Contains("immediate ACKs at the server were not tried", outcome.Verdict.Against);
        Assert.DoesNotContain(outcome.Verdict.Against, a => a.Contains("no call for them", StringComparison.Ordinal));
    }

    [Fact]
    public void Of_WaitAtNoKnownTimer_IsAHold()
    {
        DiagnosisVerdict verdict = DiagnosisRules.Judge(Stalled(70, ack: AckEffect.Unsupported)).Verdict;

        Assert.Equal((Cause.NagleHold, Side.Client, Confidence.Likely), (verdict.Cause, verdict.Side, verdict.Confidence));
        Assert.Null(verdict.AckTimerSide);
        Assert.Contains("fits no known ACK timer", verdict.Text, StringComparison.Ordinal);
    }

    // At a server that thinks for long only few requests fit into a cell, and a busy machine lets them wait as well.
    [Theory]
    [InlineData(4, Cause.CannotTell)]
    [InlineData(40, Cause.NagleHold)]
    public void Of_WaitAtNoKnownTimer_IsAHold_WhenItIsNoChance(int requests, Cause cause)
    {
        ExperimentResult result = Experiment([ExperimentCell.OneWrite, ExperimentCell.Split, ExperimentCell.SplitNoDelay])
            .With(ExperimentCell.OneWrite, Times(requests, 1)).With(ExperimentCell.Split, Times(requests, 70))
            .With(ExperimentCell.SplitNoDelay, Times(requests, 1));

        Assert.Equal(cause, DiagnosisRules.Judge(result).Verdict.Cause);
    }

    /// <summary>An ACK delay that somebody set to a value of their own is no less a delayed ACK.</summary>
    [Fact]
    public void Of_WaitAtNoKnownTimerThatImmediateAcksCure_IsADelayedAck()
    {
        DiagnosisVerdict verdict = DiagnosisRules.Judge(Stalled(70)).Verdict;

        Assert.Equal(
            (Cause.NagleDelayedAck, Side.Client, Side.Server, Confidence.Confirmed), (verdict.Cause, verdict.Side, verdict.AckTimerSide, verdict.Confidence));
        Assert.Null(verdict.ClusterMs);
        Assert.Contains("fits no known ACK timer", verdict.Text, StringComparison.Ordinal);
    }

    [Fact]
    public void Of_TickingTimer_ByTheProbe()
    {
        ExperimentResult result = Stalled(200);
        result.TickProbe = new CellResult(ExperimentCell.Split);
        result.TickProbe.Add(Measured([.. Enumerable.Range(0, 14).Select(i => 104 + (7.0 * i))]));

        Assert.Equal((200.0, "tick"), (DiagnosisRules.Judge(result).Verdict.ClusterMs, DiagnosisRules.Judge(result).Verdict.TimerModel));
    }

    [Fact]
    public void Of_WaitsDespiteNoDelayUntilAcksAreImmediate_IsTheReceiversDelayedAck()
    {
        ExperimentResult result = Healthy();
        result.With(ExperimentCell.Split, Times(400, 42), 400).With(ExperimentCell.SplitNoDelay, Times(400, 42), 400);

        DiagnosisOutcome outcome = DiagnosisRules.Judge(result);

        DiagnosisVerdict verdict = outcome.Verdict;
        Assert.Equal(
            (Cause.DelayedAck, Side.Server, Side.Server, 40.0, Confidence.Confirmed),
            (verdict.Cause, verdict.Side, verdict.AckTimerSide, verdict.ClusterMs, verdict.Confidence));
        Assert.Contains("two sends and TCP_NODELAY", verdict.For[0], StringComparison.Ordinal);
        Finding finding = outcome.Findings[0];
        Assert.Equal(("LT103", "192.0.2.7"), (finding.Id, finding.Host));
        Assert.Contains("TCP_NODELAY does not help", finding.Recommendation, StringComparison.Ordinal);
        Assert.Equal("It had no effect here.", outcome.Fixes.Single(f => f.Id == "no-delay").Note);
    }

    [Fact]
    public void Of_WaitsWhateverIsSet_CannotTell()
    {
        ExperimentResult result = Experiment();
        foreach (CellResult cell in result.Cells)
        {
            result.With(cell.Cell, cell.Cell.SplitRequest ? Times(40, 60) : Times(40, 1), 0);
        }

        DiagnosisOutcome outcome = DiagnosisRules.Judge(result);
        Assert.Equal(Cause.CannotTell, outcome.Verdict.Cause);
        Assert.Empty(outcome.Fixes);
        Assert.Empty(outcome.Findings);
    }

    [Fact]
    public void Of_Healthy_NoneAndTheExtraRoundTripSaid()
    {
        DiagnosisOutcome outcome = DiagnosisRules.Judge(Healthy());

        NotBlamed(outcome.Verdict);
        NotBlamed(outcome.ReplyVerdict!);
        Assert.Contains("Two sends cost one more round trip (", outcome.Verdict.Text, StringComparison.Ordinal);
        Assert.Empty(outcome.Verdict.Against);
        Assert.Empty(outcome.Fixes);
        Assert.Empty(outcome.Findings);
    }

    [Fact]
    public void Of_RandomHealthyPaths_NeverBlamed()
    {
        for (int seed = 0; seed < 60; seed++)
        {
            Random random = new(seed);
            double rtt = Math.Exp(random.NextDouble() * 6) * 0.2;
            double jitter = random.NextDouble() * Math.Max(rtt, 2);
            ExperimentResult result = Experiment();
            foreach (CellResult cell in result.Cells)
            {
                bool waits = (cell.Cell.SplitRequest && !cell.Cell.NoDelay) || (cell.Cell.SplitReply && !cell.Cell.PeerNoDelay);
                result.With(cell.Cell, [.. Enumerable.Range(0, 15).Select(_ => (waits ? 2 * rtt : rtt) + (random.NextDouble() * jitter))], waits ? 15 : 0);
            }

            DiagnosisOutcome outcome = DiagnosisRules.Judge(result);
            NotBlamed(outcome.Verdict);
            NotBlamed(outcome.ReplyVerdict!);
        }
    }

    [Fact]
    public void Of_ServerThinkTime_IsTheServers()
    {
        DiagnosisOutcome outcome = DiagnosisRules.Judge(Healthy(residenceMs: 200));

        NotBlamed(outcome.Verdict);
        Assert.Contains("The server's own processing takes 200 ms of it.", outcome.Verdict.Text, StringComparison.Ordinal);
        Assert.Equal(Cause.ServerThink, Assert.Single(outcome.Findings).Cause);
    }

    [Theory]
    [InlineData(19, Cause.NagleDelayedAck)]
    [InlineData(20, Cause.CannotTell)]
    public void Of_HalfOfTheStallsAreLosses_CannotTell(int retransmitted, Cause expected)
    {
        ExperimentResult result = Healthy(cells: [ExperimentCell.OneWrite, ExperimentCell.Split, ExperimentCell.SplitNoDelay], n: 0);
        result.With(ExperimentCell.OneWrite, Times(40, 1), 0).With(ExperimentCell.SplitNoDelay, Times(40, 1), 0)
            .With(ExperimentCell.Split, Times(40, 202), 40, retransmitted);

        DiagnosisVerdict verdict = DiagnosisRules.Judge(result).Verdict;

        Assert.Equal(expected, verdict.Cause);
        Assert.Equal(expected == Cause.CannotTell, verdict.Text.Contains("retransmitted", StringComparison.Ordinal));
    }

    [Fact]
    public void Of_RepliesLostAndResent_AreLossesToo()
    {
        ExperimentResult result = Experiment([ExperimentCell.Split, ExperimentCell.SplitNoDelay]);
        MeasurementResult lossy = Measured(Times(40, 202), local: Counters(40), peer: Counters(0, 40));
        result[ExperimentCell.Split]!.Add(lossy);
        result.With(ExperimentCell.SplitNoDelay, Times(40, 1), 0);

        Assert.Equal(Cause.CannotTell, DiagnosisRules.Judge(result).Verdict.Cause);
    }

    [Theory]
    [InlineData(5, Cause.None)]
    [InlineData(20, Cause.CannotTell)]
    [InlineData(40, Cause.NagleDelayedAck)]
    public void Of_SomeRequestsWaitForATimer_TheShareDecides(int waiting, Cause expected)
    {
        ExperimentResult result = Experiment([ExperimentCell.Split, ExperimentCell.SplitNoDelay])
            .With(ExperimentCell.Split, [.. Times(waiting, 42), .. Times(100 - waiting, 2)]).With(ExperimentCell.SplitNoDelay, Times(100, 1));

        DiagnosisVerdict verdict = DiagnosisRules.Judge(result).Verdict;

        Assert.Equal(expected, verdict.Cause);
        Assert.DoesNotContain(verdict.For, f => f.Contains("no waits cluster", StringComparison.Ordinal));
        Assert.True(expected != Cause.None || verdict.Against.Count == 1);
    }

    /// <summary>A scheduler's slices are about as long as the shortest timer.</summary>
    [Fact]
    public void Of_FewWaitsThatABusyMachineMakes_AreNoDoubt()
    {
        ExperimentResult result = Experiment([ExperimentCell.Split, ExperimentCell.SplitNoDelay])
            .With(ExperimentCell.Split, [.. Times(3, 20.5), .. Times(27, 10)]).With(ExperimentCell.SplitNoDelay, Times(60, 5));

        Assert.Equal(Cause.None, DiagnosisRules.Judge(result).Verdict.Cause);
    }

    [Theory]
    [InlineData(2, 40)]
    [InlineData(40, 2)]
    [InlineData(0, 40)]
    public void Of_FewRequests_CannotTell(int split, int noDelay)
    {
        ExperimentResult result = Experiment([ExperimentCell.Split, ExperimentCell.SplitNoDelay])
            .With(ExperimentCell.Split, Times(split, 42)).With(ExperimentCell.SplitNoDelay, Times(noDelay, 1));

        Assert.Equal(Cause.CannotTell, DiagnosisRules.Judge(result).Verdict.Cause);
    }

    [Fact]
    public void Of_CellMissing_CannotTellRatherThanThrow()
    {
        foreach (ExperimentCell missing in ExperimentCell.All)
        {
            ExperimentCell[] rest = [.. ExperimentCell.All.Where(c => c != missing)];
            DiagnosisOutcome outcome = DiagnosisRules.Judge(Healthy(cells: rest));
            bool needed = missing == ExperimentCell.Split || missing == ExperimentCell.SplitNoDelay;
            Assert.Equal(needed ? Cause.CannotTell : Cause.None, outcome.Verdict.Cause);
            Assert.True(double.IsFinite(outcome.Verdict.CostUsPerRequest ?? 0));
        }
    }

    [Fact]
    public void Of_PartialExperiment_SaysWhyItEnded()
    {
        ExperimentResult result = Experiment().With(ExperimentCell.OneWrite, Times(5, 1));
        result.EndedBecause = "The responder closed the connection.";

        DiagnosisOutcome outcome = DiagnosisRules.Judge(result);

        Assert.Equal("Cannot tell, because fewer than 3 requests of each kind were measured: The responder closed the connection.", outcome.Verdict.Text);
    }

    [Fact]
    public void CellResult_RoundThatBrokeOff_KeepsWhatWasReadBack()
    {
        ExperimentResult result = Stalled(40);
        MeasurementResult broken = Measured(Times(1, 2));
        (broken.LocalState, broken.PeerState) = (null, null);
        result[ExperimentCell.SplitPeerAck]!.Add(broken);

        Assert.Equal(AckEffect.Immediate, result[ExperimentCell.SplitPeerAck]!.PeerAck);
        Assert.Equal(Confidence.Confirmed, DiagnosisRules.Judge(result).Verdict.Confidence);
    }

    [Theory]
    [InlineData(1.0, 1.0, 1.0, "one-write no-delay ack-immediate")]
    [InlineData(1.0, 1.0, 2.0, "one-write no-delay ack-immediate")]
    [InlineData(2.0, 1.0, 1.0, "one-write no-delay ack-immediate")]
    [InlineData(30.0, 1.0, 2.0, "no-delay ack-immediate one-write")]
    [InlineData(1.0, 8.0, 2.0, "one-write ack-immediate no-delay")]
    public void Fixes_ByEffect_BetweenEqualsTheCheaper(double oneWrite, double noDelay, double peerAck, string expected)
    {
        ExperimentResult result = Experiment([ExperimentCell.OneWrite, ExperimentCell.Split, ExperimentCell.SplitNoDelay, ExperimentCell.SplitPeerAck])
            .With(ExperimentCell.Split, Times(40, 42)).With(ExperimentCell.OneWrite, Times(40, oneWrite))
            .With(ExperimentCell.SplitNoDelay, Times(40, noDelay)).With(ExperimentCell.SplitPeerAck, Times(40, peerAck));

        IReadOnlyList<DiagnosisFix> fixes = DiagnosisRules.Judge(result).Fixes;

        Assert.Equal(expected, string.Join(' ', fixes.Select(f => f.Id)));
        Assert.All(fixes, f => Assert.Equal((42_000, 40), (Math.Round(f.P50UsBefore!.Value / 1000) * 1000, f.N)));
        Assert.Equal((42 - oneWrite) / 42, fixes.Single(f => f.Id == "one-write").Saves!.Value, 0.01);
        Assert.All(fixes, f => Assert.Null(f.P99UsAfter));
    }

    [Fact]
    public void Fixes_AckCallUnsupported_LeftOut() =>
        Assert.Equal(["one-write", "no-delay"], DiagnosisRules.Judge(Stalled(40, ack: AckEffect.Unsupported)).Fixes.Select(f => f.Id));

    [Fact]
    public void Fixes_EnoughRequests_HaveAP99() => Assert.All(DiagnosisRules.Judge(Stalled(40, n: 368)).Fixes, f => Assert.NotNull(f.P99UsAfter));
}
