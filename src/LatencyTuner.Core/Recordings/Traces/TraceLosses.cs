namespace LatencyTuner.Core.Recordings.Traces;

/// <summary>
/// Data of one connection that was sent again: after duplicate ACKs (RFC 5681), after a timeout (RFC 6298), or as a tail-loss probe (RFC 8985).
/// Assumed from the manifests: a round means that data was sent again. They do not say why; three duplicate ACKs before it mean the first reason.
/// </summary>
internal sealed class TraceLosses
{
    // Several different events report the same round.
    private const long SameRoundNs = 1_000_000;

    private long _lastNs = long.MinValue;
    private bool _lastWasRound;

    /// <summary>Number of rounds after a timeout.</summary>
    public long Timeouts { get; private set; }

    public long TimeoutNs { get; private set; }

    public TraceExample? LongestTimeout { get; private set; }

    public TraceExample? LongestFast { get; private set; }

    public long LongTimeouts { get; private set; }

    /// <summary>Number of rounds after duplicate ACKs.</summary>
    public long Fast { get; private set; }

    public long FastNs { get; private set; }

    public long Probes { get; private set; }

    public long ProbeNs { get; private set; }

    public long Syns { get; set; }

    public long All => Timeouts + Fast + Probes;

    public long CostNs => TimeoutNs + FastNs + ProbeNs;

    /// <summary>Data was sent again.</summary>
    /// <param name="now">When, nanoseconds since 1970.</param>
    /// <param name="unackedSinceNs">When the oldest unacknowledged data was sent, nanoseconds since 1970; null when unknown.</param>
    /// <param name="signalled">True when duplicate ACKs had signalled the loss.</param>
    /// <param name="sequence">Sequence number of the oldest unacknowledged data; null when unknown.</param>
    public void Round(long now, long? unackedSinceNs, bool signalled, uint? sequence)
    {
        if (_lastWasRound && now - _lastNs <= SameRoundNs)
        {
            return;
        }

        long cost = Since(now, unackedSinceNs);
        TraceExample example = new(now - cost, now) { Sequence = sequence };
        if (signalled)
        {
            (Fast, FastNs) = (Fast + 1, FastNs + cost);
            LongestFast = TraceExample.Longer(LongestFast, example);
        }
        else
        {
            (Timeouts, TimeoutNs) = (Timeouts + 1, TimeoutNs + cost);
            LongestTimeout = TraceExample.Longer(LongestTimeout, example);
            LongTimeouts += cost >= 100_000_000 ? 1 : 0;
        }

        (_lastNs, _lastWasRound) = (now, true);
    }

    /// <summary>A tail-loss probe was sent.</summary>
    public void Probe(long now, long? unackedSinceNs)
    {
        (Probes, ProbeNs) = (Probes + 1, ProbeNs + Since(now, unackedSinceNs));
        (_lastNs, _lastWasRound) = (now, false);
    }

    private long Since(long now, long? unackedSinceNs) => unackedSinceNs is { } since ? Math.Max(now - Math.Max(since, _lastNs), 0) : 0;
}
