using LatencyTuner.Core.Measurement.Platform;

namespace LatencyTuner.Core.Measurement.Probes;

/// <summary>One exchange of a probe that never waits itself, waited for by the calling thread.</summary>
internal static class PolledExchange
{
    // An interrupted probe is noticed at the latest by then, should the system not wake the wait.
    private const long LongestWaitNs = 100_000_000;

    /// <summary>Asks and waits for the answer.</summary>
    /// <exception cref="PeerFailureException">There was none in time, or it was wrong.</exception>
    internal static void Run(IPolledProbe probe, MeasuringContext context)
    {
        long start = context.Time.GetTimestamp();
        probe.Begin();
        bool ready = false;
        while (true)
        {
            TimeSpan left = probe.ReplyTimeout - context.Time.GetElapsedTime(start);
            if (left <= TimeSpan.Zero)
            {
                throw probe.Overdue();
            }

            PollEntry entry = probe.Entry;
            if (context.Platform.Wait(new ReadOnlySpan<PollEntry>(in entry), new Span<bool>(ref ready), Math.Min(LongestWaitNs, (long)left.TotalNanoseconds))
                > 0 && probe.Advance())
            {
                return;
            }
        }
    }
}
