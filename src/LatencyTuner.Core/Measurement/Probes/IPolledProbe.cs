using LatencyTuner.Core.Sockets;

namespace LatencyTuner.Core.Measurement.Probes;

/// <summary>A probe that never blocks, so that one thread can ask many targets. Not thread-safe.</summary>
internal interface IPolledProbe
{
    /// <summary>Longest wait for an answer.</summary>
    TimeSpan ReplyTimeout { get; }

    /// <summary>The socket and event it waits for next; valid only between <see cref="Begin"/> and the end of the exchange.</summary>
    /// <exception cref="PeerFailureException">The probe was interrupted.</exception>
    PollEntry Entry { get; }

    /// <summary>Sends a request, or begins to send it.</summary>
    /// <exception cref="PeerFailureException">The request failed; the probe can then not be used again.</exception>
    void Begin();

    /// <summary>Continues the exchange after the socket has become ready.</summary>
    /// <returns>True when the answer is complete.</returns>
    /// <exception cref="PeerFailureException">The answer was wrong, or there will be none; the probe can then not be used again.</exception>
    bool Advance();

    /// <summary>The failure to report when no answer arrived within <see cref="ReplyTimeout"/>.</summary>
    PeerFailureException Overdue();
}

/// <summary>One exchange of a probe that never blocks; the calling thread waits for it.</summary>
internal static class PolledExchange
{
    // An interrupted probe is noticed after this time at the latest, even if the system does not end the wait.
    private const long LongestWaitNs = 100_000_000;

    /// <summary>Sends a request and waits for the answer.</summary>
    /// <exception cref="PeerFailureException">No answer arrived in time, or it was wrong.</exception>
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
