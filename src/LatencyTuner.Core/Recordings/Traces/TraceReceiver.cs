namespace LatencyTuner.Core.Recordings.Traces;

/// <summary>
/// The receiving half of one connection: data (TCPIP event 1074), the delayed-ACK timer (1064 to 1066, type 2, RFC 1122 4.2.3.2), and how long data
/// was ready before a read took it (1156 to 1158). An indication (1157) that is accepted has no 1158, so that only a request (1156) shows a read. Assumed
/// from the manifests: the ACK is sent when the timer expires.
/// </summary>
internal sealed class TraceReceiver(RetentionBudget budget)
{
    private const int Most = 20_000;
    private const long SlackNs = 1_000_000;
    private const long Late = 1_000_000;
    private const int MostRequests = 64;
    private const int MostTimes = 1_000;

    private long? _armedNs;
    private long? _unackedNs;
    private long? _expiredNs;
    private long? _indicatedNs;
    private long _dataNs = long.MinValue;
    private readonly List<(long Ns, ulong Request)> _requests = [];

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

    /// <summary>How many times the timer was set, by the time for which it was set, milliseconds.</summary>
    public SortedDictionary<uint, long> Armings { get; } = [];

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
        _dataNs = now;
        _unackedNs ??= now;
    }

    /// <summary>Data was sent, and the ACK with it.</summary>
    public void Piggybacked() => (_unackedNs, _armedNs, _expiredNs) = (null, null, null);

    public void Armed(long now, uint milliseconds)
    {
        (_armedNs, ArmedMs) = (now, milliseconds);
        if (Armings.Count < MostTimes || Armings.ContainsKey(milliseconds))
        {
            Armings[milliseconds] = Armings.GetValueOrDefault(milliseconds) + 1;
        }
    }

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

    /// <summary>Data was indicated to the socket.</summary>
    public void Indicated(long now) => (_indicatedNs, _dataNs) = (now, now);

    /// <summary>A read of the socket begins.</summary>
    public void Requested(long now, ulong request)
    {
        if (_requests.Count < MostRequests)
        {
            _requests.Add((now, request));
        }
    }

    /// <summary>A read of the socket got its data. The data was there before only when none came since the read began, and the read did not wait.</summary>
    public void Satisfied(long now, ulong request)
    {
        int at = _requests.FindIndex(r => r.Request == request);
        if (at < 0)
        {
            return;
        }

        long requested = _requests[at].Ns;
        _requests.RemoveAt(at);
        bool wasThere = _dataNs < requested && now - requested <= SlackNs;
        long waited = wasThere && _indicatedNs is { } since ? now - since : 0;
        _indicatedNs = null;
        Reads++;
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
