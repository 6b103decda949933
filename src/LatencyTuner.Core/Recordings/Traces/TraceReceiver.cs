namespace LatencyTuner.Core.Recordings.Traces;

/// <summary>
/// The receiving half of one connection: data (TCPIP event 1074), the delayed-ACK timer (1064 to 1066, type 2, RFC 1122 4.2.3.2), and how long data
/// was ready before the application took it (1157, 1158). Assumed from the manifests: the ACK is sent when the timer expires, and event 1158 means
/// that the application took the data.
/// </summary>
internal sealed class TraceReceiver(RetentionBudget budget)
{
    private const int Most = 20_000;
    private const long SlackNs = 1_000_000;
    private const long Late = 1_000_000;

    private long? _armedNs;
    private long? _unackedNs;
    private long? _expiredNs;
    private long? _indicatedNs;

    /// <summary>When the delayed-ACK timer expired, nanoseconds since 1970; the first 20,000 times at most.</summary>
    public List<long> Expiries { get; } = [];

    /// <summary>How long the data had waited for its ACK when the timer expired, nanoseconds.</summary>
    public List<long> Waits { get; } = [];

    public long Fired { get; private set; }

    /// <summary>Number of expirations after which the peer sent more data within a round trip.</summary>
    public long Followed { get; private set; }

    public long FollowedNs { get; private set; }

    /// <summary>The time for which the timer was last armed, milliseconds.</summary>
    public uint? ArmedMs { get; private set; }

    /// <summary>Number of reads of the application that came at least 1 ms after the data.</summary>
    public long LateReads { get; private set; }

    public long Reads { get; private set; }

    public List<long> ReadWaits { get; } = [];

    public long LateNs { get; private set; }

    public void Received(long now, long? baseNs)
    {
        if (_expiredNs is { } expired)
        {
            // The data that this ACK released cannot arrive earlier than one round trip after the ACK was sent.
            long latest = (baseNs ?? SlackNs) + Math.Max(SlackNs, (baseNs ?? 0) / 4);
            if (now - expired <= latest)
            {
                Followed++;
                FollowedNs += Waits.Count > 0 ? Waits[^1] : 0;
            }
        }

        _expiredNs = null;
        _unackedNs ??= now;
    }

    /// <summary>Data was sent, and the ACK with it.</summary>
    public void Piggybacked() => (_unackedNs, _armedNs, _expiredNs) = (null, null, null);

    public void Armed(long now, uint milliseconds) => (_armedNs, ArmedMs) = (now, milliseconds);

    public void Stopped() => (_armedNs, _unackedNs) = (null, null);

    public void Expired(long now)
    {
        Fired++;
        if (Expiries.Count < Most && budget.TakeNumber())
        {
            Expiries.Add(now);
            if ((_armedNs ?? _unackedNs) is { } since)
            {
                Waits.Add(now - since);
            }
        }

        (_expiredNs, _armedNs, _unackedNs) = (now, null, null);
    }

    public void Indicated(long now) => _indicatedNs ??= now;

    public void Satisfied(long now)
    {
        if (_indicatedNs is not { } since)
        {
            return;
        }

        _indicatedNs = null;
        Reads++;
        long waited = now - since;
        if (ReadWaits.Count < Most && budget.TakeNumber())
        {
            ReadWaits.Add(waited);
        }

        if (waited >= Late)
        {
            LateReads++;
            LateNs += waited;
        }
    }
}
