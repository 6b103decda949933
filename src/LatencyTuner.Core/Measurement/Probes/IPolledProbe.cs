using LatencyTuner.Core.Sockets;

namespace LatencyTuner.Core.Measurement.Probes;

/// <summary>A probe that never waits itself, so that one thread can ask many targets. Not thread-safe.</summary>
internal interface IPolledProbe
{
    /// <summary>Longest wait for an answer.</summary>
    TimeSpan ReplyTimeout { get; }

    /// <summary>What is waited for next; only between <see cref="Begin"/> and the end of the exchange.</summary>
    /// <exception cref="PeerFailureException">It was interrupted.</exception>
    PollEntry Entry { get; }

    /// <summary>Asks.</summary>
    /// <exception cref="PeerFailureException">It could not; the probe is then of no more use.</exception>
    void Begin();

    /// <summary>Goes on when what it waits for has come.</summary>
    /// <returns>True when the answer is whole.</returns>
    /// <exception cref="PeerFailureException">It was wrong, or there will be none; the probe is then of no more use.</exception>
    bool Advance();

    /// <summary>What is to be said of an answer that did not come within <see cref="ReplyTimeout"/>.</summary>
    PeerFailureException Overdue();
}

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
