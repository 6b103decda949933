using LatencyTuner.Core.Measurement.Loops;

namespace LatencyTuner.Core.Measurement.Probes;

/// <summary>The thread of one target: it asks in its slot of each round and opens the probe again after a failure.</summary>
internal sealed class ProbeLine(ProbeTarget target, int index, int lines, ProbePlan plan, CommonStart common, TimeProvider time, CancellationToken stop)
{
    private static readonly string[] WholeExchange = ["reply"];
    private readonly long[] _whole = new long[1];
    private readonly HeldProbe _probe = new(target.Open, stop);

    internal ProbeSeries Series { get; } = new(target);

    /// <summary>Rounds begun, for the display of progress.</summary>
    internal long Round { get; private set; }

    /// <summary>Runs through all rounds; the round before the first is not counted unless it fails.</summary>
    internal void Run()
    {
        // Every line draws the same orders from the same seed, so that no two lines share a slot.
        Random order = new(plan.Seed);
        int[] slots = [.. Enumerable.Range(0, lines)];
        double slotTicks = time.TimestampFrequency / plan.RatePerSecond / lines;
        long freeSince = 0;
        long start = time.GetTimestamp();
        for (Round = 0; Round <= plan.Rounds; Round++)
        {
            order.Shuffle(slots);
            long planned = start + (long)(((Round * lines) + slots[index]) * slotTicks);
            // A late last request is better than none.
            if (Round > 0 && time.GetTimestamp() > planned + (long)(slotTicks * lines) && (Round < plan.Rounds || Series.Sent > 0))
            {
                Series.Skipped++;
                continue;
            }
            if (!SteadyWait.Until(planned, time, stop))
            {
                return;
            }

            freeSince = Ask(planned, freeSince);
            if (Round == 0)
            {
                start = common.Await(stop) - (long)(slotTicks * lines);
            }

            if (stop.IsCancellationRequested)
            {
                return;
            }
        }
    }

    /// <summary>Makes the thread return soon, after the cancellation.</summary>
    internal void Interrupt() => _probe.Interrupt();

    internal void Drop() => _probe.Drop();

    private long Ask(long planned, long freeSince)
    {
        bool counts = Round > 0;
        try
        {
            MonitorProbe probe = _probe.Open();
            long sent = time.GetTimestamp();
            probe.Exchange();
            long received = time.GetTimestamp();
            if (!counts)
            {
                return received;
            }
            // Counts from the planned time if the previous answer was still awaited then. A late timer of this machine is not the target's time.
            long waited = freeSince > planned ? Ns(planned, sent) : 0;
            Series.Sent++;
            if (probe is PhasedProbe phased)
            {
                Series.Answer(phased.Phases, phased.PhaseNs, waited, phased.Status, phased.Reconnected);
            }
            else
            {
                _whole[0] = Ns(sent, received);
                Series.Answer(WholeExchange, _whole, waited, 0, false);
            }
            return received;
        }
        catch (Exception e) when (e is PeerFailureException or ExpectedFailureException { Code: ExitCode.Measurement } or OperationCanceledException)
        {
            Drop();
            if (stop.IsCancellationRequested)
            {
                return 0;
            }

            Series.Sent++;
            if (e is PeerFailureException failure)
            {
                Series.Fail(failure);
            }
            else
            {
                Series.Fail(ProbeFailure.Other, e.Message);
            }

            return time.GetTimestamp();
        }
    }

    private long Ns(long from, long to) => (long)time.GetElapsedTime(from, to).TotalNanoseconds;
}
