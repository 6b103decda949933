namespace LatencyTuner.Core.Recordings.Traces;

/// <summary>The TCP activity of one process.</summary>
internal sealed class TraceProcess(uint id, int generation)
{
    public uint Id { get; } = id;

    /// <summary>Number of the process among those that had this id in turn, from 0.</summary>
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

    /// <summary>False when events were counted whose meaning is known only from a manifest.</summary>
    public bool Verified { get; private set; } = true;

    /// <summary>The calls of its sockets that could not be joined with a connection.</summary>
    public TraceCalls Unjoined { get; private set; } = new();

    /// <summary>The name of the process in findings.</summary>
    public string Label => Name is { } name ? $"{name} ({Id})" : $"process {Id}";

    /// <summary>Resets the sums before they are counted again.</summary>
    public void Begin()
    {
        Owned.Clear();
        (Sends, BytesSent, Receives, BytesReceived, Retransmissions) = (0, 0, 0, 0, 0);
        (Unjoined, Verified) = (new(), true);
    }

    /// <summary>Adds a connection of the process to the sums.</summary>
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

    /// <summary>The calls of all its sockets, joined with a connection or not.</summary>
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
