using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Findings;

namespace LatencyTuner.Core.Recordings.Traces;

/// <summary>What the events of a trace show about one connection, as this machine sees it. Times in nanoseconds since 1970.</summary>
internal sealed class TraceConnection(long number, RetentionBudget budget)
{
    private const int MostChanges = 100;
    private const long SameCallNs = 1_000_000;

    public long Number { get; } = number;
    public TcpEndpoint Local { get; set; }
    public TcpEndpoint Remote { get; set; }
    public uint? ProcessId { get; set; }

    /// <summary>Number of the process among those that had this id in turn, from 0.</summary>
    public int ProcessGeneration { get; set; }
    public string? ProcessName { get; set; }

    /// <summary>True when this end connected, false when it accepted; null when neither was seen.</summary>
    public bool? Connected { get; set; }

    public long FirstNs { get; set; } = long.MaxValue;
    public long LastNs { get; set; } = long.MinValue;
    public long? ConnectStartedNs { get; set; }
    public long? ConnectNs { get; set; }
    public long SynRetransmissions { get; set; }
    public bool Closed { get; set; }

    /// <summary>True when events of Microsoft-Windows-TCPIP report it, false when only the kernel's events do.</summary>
    public bool FromTcpip { get; set; }

    public bool Verified { get; set; } = true;

    public long SegmentsSent { get; set; }
    public long BytesSent { get; set; }
    public long SegmentsReceived { get; set; }
    public long BytesReceived { get; set; }
    public long KernelSends { get; set; }
    public long KernelBytesSent { get; set; }
    public long KernelReceives { get; set; }
    public long KernelBytesReceived { get; set; }
    public long KernelRetransmissions { get; set; }

    public TraceSender Sender { get; } = new(budget);
    public TraceReceiver Receiver { get; } = new(budget);
    public TurnTracker Turns { get; } = new(budget);

    /// <summary>When data was first handed over or sent.</summary>
    public long? FirstSendNs { get; set; }

    /// <summary>When TCP_NODELAY was set: on, off, or null where the event does not show it; in order of time, the first ones.</summary>
    public List<(long Ns, bool? On)> NoDelay { get; } = [];
    public uint? DelayedAckTicks { get; set; }
    public uint? DelayedAckFrequency { get; set; }

    public TraceLosses Losses { get; } = new();
    public TraceWindows Windows { get; } = new();
    public TraceTotals? Totals { get; set; }

    /// <summary>What the application did with the connection, by the events of its socket (Winsock-AFD); null when no socket could be joined.</summary>
    public TraceCalls? Calls { get; set; }

    /// <summary>Time of long send calls of its socket that nothing else explains, nanoseconds.</summary>
    public long BlockedNs { get; set; }

    /// <summary>Time that data waited for known causes, nanoseconds: a send call that takes this long needs no other explanation.</summary>
    public long ExplainedNs(long now) => Sender.HeldNs + Sender.ReceiverLimitedNs + Sender.CongestionLimitedNs + Windows.ClosedNs(now) + Losses.CostNs;

    /// <summary>What waited and was sent up to a time.</summary>
    public TurnCounters CountersAt(long now) =>
        new(Sender.HeldNs, Sender.ReceiverLimitedNs, Windows.ClosedNs(now), BlockedNs, Receiver.FollowedNs, BytesSent);

    /// <summary>Time with data outstanding, data posted but not sent, or a request unanswered, nanoseconds.</summary>
    public long ActiveNs { get; set; }
    public bool Awaiting { get; set; }

    /// <summary>The other end, when it is also on this machine.</summary>
    public TraceConnection? Twin { get; set; }

    /// <summary>Number of delayed-ACK timer expirations of this end that a hold of the other end waited for.</summary>
    public long ChainExpiries { get; set; }

    /// <summary>Holds whose ACK was late: by the other end's timer, or beyond the path's own time.</summary>
    public List<TraceHold> LateHolds { get; } = [];

    public List<TraceHold> PlainHolds { get; } = [];

    public long LocalSent => Math.Max(BytesSent, KernelBytesSent);
    public long LocalReceived => Math.Max(BytesReceived, KernelBytesReceived);
    public long Retransmissions => Math.Max(KernelRetransmissions, Losses.All);
    public long Sends => Math.Max(SegmentsSent, KernelSends);
    public long Receives => Math.Max(SegmentsReceived, KernelReceives);

    /// <summary>True when this end opened the connection, as seen; otherwise guessed from the ports: the server has the lower one.</summary>
    public bool IsClient => Connected ?? Local.Port > Remote.Port;

    public bool RoleGuessed => Connected is null;

    public Side Side => IsClient ? Side.Client : Side.Server;

    public Side PeerSide => IsClient ? Side.Server : Side.Client;

    public string Name => IsClient ? $"{Local} > {Remote}" : $"{Remote} > {Local}";

    /// <summary>The process that owns the connection, distinguished from others that had the same id.</summary>
    public (uint? Id, int Generation) Owner => (ProcessId, ProcessGeneration);

    /// <summary>
    /// A round trip without a delayed ACK, nanoseconds: the connect time without a retransmission, or the shortest round trip in the totals; null
    /// when neither was seen.
    /// </summary>
    public long? PathNs => Losses.Syns == 0 && Connected == true && ConnectNs is { } connect ? connect : Totals?.MinRttUs is > 0 and var us ? us * 1000 : null;

    /// <summary>The name of the process in findings.</summary>
    public string? Process => ProcessId is not { } id ? null : ProcessName is { } name ? $"{name} ({id})" : $"process {id}";

    /// <summary>TCP_NODELAY was set.</summary>
    /// <param name="now">When, nanoseconds since 1970.</param>
    /// <param name="on">To what; null where the event does not show it.</param>
    public void NoDelayChanged(long now, bool? on)
    {
        Sender.OptionTouched();
        if (NoDelay.Count > 0 && now - NoDelay[^1].Ns <= SameCallNs && (NoDelay[^1].On is null || on is null))
        {
            // Two events report one call.
            NoDelay[^1] = (now, NoDelay[^1].On ?? on);
        }
        else if (NoDelay.Count < MostChanges)
        {
            NoDelay.Add((now, on));
        }
    }

    /// <summary>True when TCP_NODELAY was on at a time, false when it was off; null when that is not known.</summary>
    public bool? NoDelayAt(long time)
    {
        int at = NoDelay.FindLastIndex(n => n.Ns <= time);
        return at < 0 ? null : NoDelay[at].On;
    }

    public void Seen(long now)
    {
        if (LastNs != long.MinValue && now > LastNs && (Awaiting || Sender.Outstanding > 0 || Sender.Pending > 0))
        {
            ActiveNs += now - LastNs;
        }

        FirstNs = Math.Min(FirstNs, now);
        LastNs = Math.Max(LastNs, now);
    }
}
