using LatencyTuner.Core.Analysis.Stalls;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Measurement.Experiments;
using LatencyTuner.Core.Statistics;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Analysis.Diagnosis;

/// <summary>The verdict on messages of one direction with what it rests on.</summary>
internal sealed record DirectionJudgement(DiagnosisVerdict Verdict, StallAnalysis? Stalls)
{
    private const int FewestRequests = 3;

    // The mechanism stalls every request; a host whose kernel acknowledges the first segments of a connection at once spares some.
    private const double FewestShare = 0.3;

    // From this share on, waits at a timer are too many for "no stall", though too few for the pattern.
    private const double FewestShareToDoubt = 0.1;

    // A busy machine lets some requests wait, whichever way they are written.
    private const double LargestChance = 0.01;

    internal static DirectionJudgement Of(SplitDirection direction, ExperimentResult result)
    {
        if (direction.Split is not { } split || direction.NoDelay is not { } noDelay
            || split.Response.Count < FewestRequests || noDelay.Response.Count < FewestRequests)
        {
            return new(
                VerdictText.CannotTell(
                    direction, $"fewer than {FewestRequests} requests of each kind were measured{(result.EndedBecause is { } why ? ": " + why : "")}"), null);
        }

        long rtt = direction.OneWrite is { Response.Count: >= FewestRequests } one
            ? Math.Min(one.Transport.ValueAtPercentile(50), noDelay.Transport.ValueAtPercentile(50))
            : noDelay.Transport.ValueAtPercentile(50);
        long jitter = Math.Max(0, noDelay.Transport.ValueAtPercentile(75) - noDelay.Transport.ValueAtPercentile(25));
        // The spread of a comparison that stalls itself is no measure of jitter.
        jitter = Math.Min(jitter, Math.Max(rtt, 5_000_000));
        StallAnalysis stalls = WithProbe(StallAnalysis.From(split.Transport, rtt, jitter), direction, result, rtt, jitter);
        StallAnalysis without = StallAnalysis.From(noDelay.Transport, rtt, jitter);
        long? lost = SplitDirection.Retransmitted(split, result.Plan);
        bool losses = lost > 0 && lost >= 0.5 * stalls.Count;
        Side side = direction.Sender;
        if (stalls.Share < FewestShare || stalls.Count < FewestRequests)
        {
            if (!losses && stalls.Timer is { } timer && stalls.Share >= FewestShareToDoubt && without.Share < stalls.Share / 3
                && Chance(split, stalls, noDelay, without) < LargestChance)
            {
                return new(VerdictText.CannotTell(direction, VerdictText.TooFewWaitsAtTimer(stalls, timer)), stalls);
            }

            // Minimum timeouts are as long as ACK timers.
            return new(VerdictText.None(direction, split, noDelay, rtt, losses ? stalls with { Timer = null } : stalls), stalls);
        }

        if (losses)
        {
            return new(
                VerdictText.CannotTell(direction, $"{Counted.Were(lost ?? 0, "segment")} retransmitted during {Counted.Of(stalls.Count, "wait")}, so losses "
                    + "may explain waits"), stalls);
        }

        if (without.Share < stalls.Share / 3)
        {
            // A stall that immediate ACKs at the receiver remove came from a delayed ACK, even without a known timer.
            Cause cause = stalls.Timer is null && !VerdictText.ReceiverAckCures(direction, stalls, rtt) ? Cause.NagleHold : Cause.NagleDelayedAck;
            // Without a timer that made them, the waits have nothing in common but the cell: it must be more than chance that they are all in that one.
            return cause == Cause.NagleHold && Chance(split, stalls, noDelay, without) >= LargestChance
                ? new(VerdictText.CannotTell(direction, VerdictText.TooFewWaits(stalls)), stalls)
                : new(VerdictText.Stalled(direction, cause, side, split, noDelay, stalls, rtt), stalls);
        }

        // TCP_NODELAY does not help: either the sender waits for the receiver's ACK alone, or TCP is not the cause.
        if (direction.NoDelayAndReceiverAck is { Response.Count: >= FewestRequests } both && direction.ReceiverAckWorks && without.Timer is not null
            && StallAnalysis.From(both.Transport, both.Transport.ValueAtPercentile(50), 0).Share < without.Share / 3
            && both.Transport.ValueAtPercentile(50) < noDelay.Transport.ValueAtPercentile(50) / 2)
        {
            return new(VerdictText.Stalled(direction, Cause.DelayedAck, direction.Receiver, noDelay, both, without, rtt), without);
        }

        return new(
            VerdictText.CannotTell(direction, "requests wait with and without TCP_NODELAY, and nothing shows that the ACKs are the reason"), stalls);
    }

    /// <summary>The probability that chance alone puts so many of all waits among the split requests, in proportion to time without the waits.</summary>
    private static double Chance(CellResult split, StallAnalysis stalls, CellResult noDelay, StallAnalysis without)
    {
        // Where most wait, their median is a wait.
        double time = (double)split.Transport.Count * (stalls.Share < 0.5 ? split : noDelay).Transport.ValueAtPercentile(50);
        double otherTime = (double)noDelay.Transport.Count * noDelay.Transport.ValueAtPercentile(50);
        return 1 - Distributions.BinomialCdf(stalls.Count - 1, stalls.Count + without.Count, time / Math.Max(time + otherTime, 1));
    }

    private static StallAnalysis WithProbe(StallAnalysis stalls, SplitDirection direction, ExperimentResult result, long rtt, long jitter)
    {
        if (direction.Sender != Side.Client || result.TickProbe is not { } probe)
        {
            return stalls;
        }

        AckTimer? spread = StallAnalysis.From(probe.Transport, rtt, jitter).Timer;
        return spread is { Model: AckTimerModel.Tick } ? stalls with { Timer = spread } : stalls;
    }
}
