namespace LatencyTuner.Core.Recordings.Traces;

/// <summary>TCP of one process.</summary>
internal sealed class TraceProcess(uint id, int generation)
{
    public uint Id { get; } = id;

    /// <summary>Which of the processes that had this id in turn.</summary>
    public int Generation { get; } = generation;
    public string? Name { get; set; }
    public List<TraceConnection> Owned { get; } = [];
    public long Connects { get; set; }
    public long Accepts { get; set; }
    public long Disconnects { get; set; }
    public long Failures { get; set; }
    public long Sends { get; private set; }
    public long BytesSent { get; private set; }
    public long Receives { get; private set; }
    public long BytesReceived { get; private set; }
    public long Retransmissions { get; private set; }

    /// <summary>False when events were counted whose meaning rests on a manifest alone.</summary>
    public bool Verified { get; private set; } = true;

    /// <summary>What its sockets did that could not be joined with a connection.</summary>
    public TraceCalls Unjoined { get; private set; } = new();

    /// <summary>The process as findings call it.</summary>
    public string Label => Name is { } name ? $"{name} ({Id})" : $"process {Id}";

    /// <summary>Forgets the sums, for another count.</summary>
    public void Begin()
    {
        Owned.Clear();
        (Sends, BytesSent, Receives, BytesReceived, Retransmissions) = (0, 0, 0, 0, 0);
        (Unjoined, Verified) = (new(), true);
    }

    /// <summary>Counts a connection of it.</summary>
    public void Add(TraceConnection c)
    {
        Owned.Add(c);
        Sends += c.Sends;
        BytesSent += c.LocalSent;
        Receives += c.Receives;
        BytesReceived += c.LocalReceived;
        Retransmissions += c.Retransmissions;
        Verified &= c.Verified;
    }

    /// <summary>What all its sockets did, joined or not.</summary>
    public TraceCalls Calls()
    {
        TraceCalls all = new();
        foreach (TraceConnection c in Owned)
        {
            if (c.Calls is { } calls)
            {
                all.Add(calls);
            }
        }

        all.Add(Unjoined);
        return all;
    }
}
