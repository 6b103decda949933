using LatencyTuner.Core.Capture;

namespace LatencyTuner.Core.Recordings.Captures;

/// <summary>The results of the analysis of one connection.</summary>
internal sealed class ConnectionFacts(long number)
{
    private DividedTime? _time;

    /// <summary>The most transactions that are kept one by one; the sums include the others.</summary>
    public const int MostTransactions = 20_000;

    public long Number { get; } = number;

    /// <summary>False for a connection that a filter hides. It is judged like the others, because they share hosts and paths.</summary>
    public bool IsShown { get; set; } = true;

    /// <summary>
    /// What it shows about both hosts, while it may be the other side of an address translation, which must not count; null for most connections.
    /// </summary>
    public CapturedHost[]? Apart { get; set; }
    public IpAddressValue Client { get; set; }
    public IpAddressValue Server { get; set; }
    public ushort ClientPort { get; set; }
    public ushort ServerPort { get; set; }
    public bool RolesGuessed { get; set; }

    /// <summary>True when the roles are guessed and the port numbers tell nothing.</summary>
    public bool RolesDoubtful { get; set; }
    public long FirstNs { get; set; }
    public long LastNs { get; set; }
    public long Packets { get; set; }
    public long Bytes { get; set; }
    public bool HandshakeSeen { get; set; }

    /// <summary>True when neither SYN says how large segments may be, as only tools that write packets do.</summary>
    public bool IsHandmade { get; set; }

    /// <summary>True when a tool replayed this connection, or it was replayed later: its times are not those of the hosts.</summary>
    public bool IsReplayed { get; set; }
    public bool ScaleKnown { get; set; }
    public bool OptionsCut { get; set; }
    public bool OneSided { get; set; }

    /// <summary>The end whose packets were captured acknowledged something of the other one: that sent as well.</summary>
    public bool UnseenWasHeard { get; set; }

    /// <summary>True when no answer to its SYNs, of which there were several, was captured.</summary>
    public bool NeverOpened => SynRetransmissions > 0 && OneSided && Bytes == 0;

    /// <summary>True for a connection of one direction whose other one has other addresses (<see cref="HalfConnections"/>).</summary>
    public bool IsHalf { get; set; }
    public bool Reset { get; set; }
    public long CaptureDuplicates { get; set; }
    public long BackwardSteps { get; set; }
    public long BackwardNs { get; set; }
    public long ForwardSteps { get; set; }
    public long ForwardNs { get; set; }

    /// <summary>The step of the clock that gave its packets their times, nanoseconds, at least a millisecond; null for a finer clock.</summary>
    public long? CoarseStepNs { get; set; }

    /// <summary>By how much the clocks of both ends went on between packets that the capture has at the same time, nanoseconds; 0 where they did not.</summary>
    public long BatchNs { get; set; }
    public long MissedBytes { get; set; }

    /// <summary>Packets that were left out because no window explains their sequence or acknowledgement numbers.</summary>
    public long DoubtfulPackets { get; set; }

    /// <summary>True when these are so many that the capture changed bits of its packets: any number may be wrong.</summary>
    public bool IsDamaged => DoubtfulPackets >= FewestDoubtful && DoubtfulPackets >= LeastDoubtful * Packets;

    private const long FewestDoubtful = 3;
    private const double LeastDoubtful = 0.01;

    public int SynRetransmissions { get; set; }
    public long SynRetryNs { get; set; }

    /// <summary>How long after the last of several SYNs the client accepted an answer, nanoseconds; null where it did not, or sent one.</summary>
    public long? LastSynAnsweredNs { get; set; }
    public int SynsUnanswered { get; set; }

    /// <summary>True when a round trip may take as long as the client waited before it repeated the SYN.</summary>
    public bool SynsMayBeEarly { get; set; }
    public int SynsChallenged { get; set; }

    /// <summary>The first sequence numbers of both ends: the same on both sides of an address translation.</summary>
    public (uint Client, uint Server) Initials { get; set; }

    /// <summary>Shortest round trips between the tap and the ends, nanoseconds; null when never seen.</summary>
    public long? ClientBaseNs { get; set; }
    public long? ServerBaseNs { get; set; }
    public Vantage Vantage { get; set; }

    /// <summary>True when the shortest round trip to one of the ends may be its application's time: no handshake and no pure ACK shows the path.</summary>
    public bool PathIsBound { get; set; }

    /// <summary>The round trip from the tap to the server that the handshake took, nanoseconds; null when not seen, or when a SYN was sent again.</summary>
    public long? ServerHandshakeNs { get; set; }

    /// <summary>The same round trip from the tap to the client, nanoseconds; null when not seen, or when a SYN was sent again.</summary>
    public long? ClientHandshakeNs { get; set; }

    /// <summary>Shortest round trip between these hosts, nanoseconds, when this connection itself saw it only with a queue; null otherwise.</summary>
    public long? PathBaseNs { get; set; }

    /// <summary>What each end did: 0 the client, 1 the server.</summary>
    public SideFacts[] Sides { get; } = [new SideFacts(), new SideFacts()];

    /// <summary>Time with data outstanding, or with a request unanswered, nanoseconds.</summary>
    public long ActiveNs { get; set; }

    /// <summary>Time that stalls of any kind took at either end, nanoseconds.</summary>
    public long StallNs => Sides.Sum(s => s.AllOwnedNs);

    /// <summary>Who owns the active time; divided when it is first read, after the last correction of the facts.</summary>
    public DividedTime Time => _time ??= DividedTime.Of(this);

    public TransactionLog Transactions { get; } = new();
    public long TransactionCount { get; set; }

    /// <summary>What timers sent again, a number of them at most.</summary>
    public CompactList<TimerWait> TimerWaits;

    /// <summary>The waits of these transactions, in their order.</summary>
    public CompactList<TransactionWait> Waits;

    /// <summary>Slow transactions beyond those that are kept, which no figure counts.</summary>
    public TransactionLog Later { get; private set; } = TransactionLog.None;

    /// <summary>
    /// Time from the last request to the connection's last packet when the server, which had answered before, never answered it, nanoseconds; 0 otherwise.
    /// </summary>
    public long UnansweredNs { get; set; }

    /// <summary>
    /// Time from the open connection to the client's first request, nanoseconds; null when the handshake was not captured, the server spoke first, or
    /// the connection was opened long ahead.
    /// </summary>
    public long? BeforeFirstNs { get; set; }

    /// <summary>
    /// Time from the open connection to the first data, nanoseconds, where that is the client's, however long it took; null where it is not, or where the
    /// handshake was not captured.
    /// </summary>
    public long? FirstRequestNs { get; set; }

    /// <summary>Number of messages, and of those that began before the other side's message had been received.</summary>
    public long Runs { get; set; }
    public long OverlappingRuns { get; set; }

    /// <summary>True when requests and responses cannot be separated.</summary>
    public bool NotSeparable => OverlappingRuns > 0.1 * Runs;

    /// <summary>Round trips over time, coarse: start of each interval in nanoseconds from the first packet, smallest and largest.</summary>
    public RoundTripSeries RoundTrips { get; } = new();

    /// <summary>The most packets that are kept for pairing with another capture.</summary>
    public const int MostPrints = 8192;

    /// <summary>Packets by which another capture's connection is recognised; empty with a single capture.</summary>
    public CompactList<PacketPrint> Prints;

    /// <summary>Adds what a timer sent again, which was answered, or never was.</summary>
    /// <param name="loss">The state of its sender.</param>
    /// <param name="side">0 the client, 1 the server.</param>
    /// <param name="answeredNs">When it was answered, nanoseconds since 1970; <see cref="long.MaxValue"/> where it was not.</param>
    public void AddWait(ref LossState loss, int side, long answeredNs)
    {
        const int Most = 64;
        if (loss.Wait.Copies > 0 && TimerWaits.Count < Most)
        {
            (loss.Wait.Side, loss.Wait.AnsweredNs) = (side, answeredNs);
            TimerWaits.Add(in loss.Wait);
        }

        loss.Wait = default;
    }

    /// <summary>Adds one to <see cref="Later"/>.</summary>
    public void AddLater(in Transaction transaction)
    {
        Later = Later == TransactionLog.None ? new TransactionLog() : Later;
        Later.Add(in transaction);
    }

    /// <summary>Frees unused memory after the connection's last packet, because the facts of many connections are kept.</summary>
    public void Trim()
    {
        Sides[0].Trim();
        Sides[1].Trim();
        Transactions.Trim();
        Waits.Trim();
        TimerWaits.Trim();
        Prints.Trim();
    }
}
