namespace LatencyTuner.Core.Analysis.Traces;

/// <summary>TCP of one process.</summary>
internal sealed class TraceProcess(uint id)
{
    private const int Most = 20_000;

    public uint Id { get; } = id;
    public string? Name { get; set; }
    public long Connections { get; set; }
    public long Connects { get; set; }
    public long Accepts { get; set; }
    public long Disconnects { get; set; }
    public long Sends { get; set; }
    public long BytesSent { get; set; }
    public long Receives { get; set; }
    public long BytesReceived { get; set; }
    public long Retransmissions { get; set; }
    public long Failures { get; set; }

    /// <summary>From the transport's indication of data to the end of the next receive call (Winsock-AFD 3003, 1004), nanoseconds.</summary>
    public List<long> ReadWaits { get; } = [];
    public long LateNs { get; set; }
    public long LateReads { get; set; }

    /// <summary>Time inside send calls (Winsock-AFD 1003), nanoseconds.</summary>
    public long SendCalls { get; set; }
    public long SendCallNs { get; set; }
    public long LongestSendCallNs { get; set; }

    /// <summary>Forgets what was summed up over connections, to sum up again.</summary>
    public void BeginSums() => (Connections, Sends, BytesSent, Receives, BytesReceived, Retransmissions) = (0, 0, 0, 0, 0, 0);

    public void Read(long waitedNs)
    {
        if (ReadWaits.Count < Most)
        {
            ReadWaits.Add(waitedNs);
        }

        if (waitedNs >= 1_000_000)
        {
            LateReads++;
            LateNs += waitedNs;
        }
    }
}
