using LatencyTuner.Core.Measurement.Platform;

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
