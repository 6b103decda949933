using LatencyTuner.Core.Histograms;
using LatencyTuner.Core.Measurement.Http;
using LatencyTuner.Core.Measurement.Loops;
using LatencyTuner.Core.Measurement.Protocol;
using LatencyTuner.Core.Sockets;

namespace LatencyTuner.Core.Measurement.Sweeps;

/// <summary>The results of one round at one point: the values of a measurement that a report needs and a state file can keep.</summary>
public sealed record SweepRound
{
    /// <summary>From the planned send time to the last byte of the reply; one way: inside the send calls of a request.</summary>
    public required LatencyHistogram Response { get; init; }

    /// <summary>From the planned to the actual send time; null in a closed loop.</summary>
    public LatencyHistogram? Lateness { get; init; }

    /// <summary>The response times over time, with the length of each block in nanoseconds.</summary>
    public IReadOnlyList<(LatencyHistogram Times, long LengthNs)> Blocks { get; init; } = [];

    /// <summary>Measured time without warm-up.</summary>
    public TimeSpan Elapsed { get; init; }

    /// <summary>Requests planned; null in a closed loop.</summary>
    public long? Planned { get; init; }

    /// <summary>Requests on the wire, warm-up included: the same requests that the kernel's counters include.</summary>
    public long Exchanges { get; init; }

    /// <summary>Time inside send calls over all connections, nanoseconds.</summary>
    public long SendNs { get; init; }

    /// <summary>Longest time inside the send calls of one request, nanoseconds.</summary>
    public long LongestSendNs { get; init; }

    /// <summary>Bytes the peer counted, for one-way load; otherwise 0.</summary>
    public long StreamBytes { get; init; }

    /// <summary>Time until the peer had received all of them, for one-way load.</summary>
    public TimeSpan StreamTime { get; init; }

    /// <summary>How long the sweep waited before the round until the path was quiet; zero where no data can be left on the path.</summary>
    public TimeSpan Drain { get; init; }

    /// <summary>False when the path was still not quiet when the round began.</summary>
    public bool Quiet { get; init; } = true;

    /// <summary>How the time of the streams was spent, over HTTP/2; otherwise null.</summary>
    public StreamFigures? Streams { get; init; }

    /// <summary>Name and version of the responder's software, as it reports them.</summary>
    public string? ResponderSoftware { get; init; }

    /// <summary>The responder's operating system, as it reports it.</summary>
    public string? ResponderOs { get; init; }

    /// <summary>Why the round ended early, a sentence; null when it did not.</summary>
    public string? EndedBecause { get; init; }

    /// <summary>True when it was cancelled.</summary>
    public bool Cancelled { get; init; }

    internal EndState? LocalState { get; init; }

    internal EndState? PeerState { get; init; }

    internal IReadOnlyList<(KernelCounters Start, KernelCounters End)> LocalCounters { get; init; } = [];

    internal IReadOnlyList<(KernelCounters Start, KernelCounters End)> PeerCounters { get; init; } = [];

    /// <summary>The counters of the end that sends the messages.</summary>
    internal IReadOnlyList<(KernelCounters Start, KernelCounters End)> SenderCounters => Streams is null ? LocalCounters : PeerCounters;

    /// <summary>Takes the values that a sweep needs from a measurement.</summary>
    internal static SweepRound Of(MeasurementResult result) => new()
    {
        Response = result.Response,
        Lateness = result.Lateness,
        Blocks = [.. Enumerable.Range(0, result.Blocks.Count).Select(i => (result.Blocks.Decode(i), result.Blocks[i].EndNs - result.Blocks[i].StartNs))],
        Elapsed = result.Elapsed,
        Planned = result.Planned,
        Exchanges = result.Exchanges,
        SendNs = result.SendNs,
        LongestSendNs = result.LongestSendNs,
        StreamBytes = result.StreamBytes,
        StreamTime = result.StreamTime,
        ResponderSoftware = result.ResponderSoftware,
        ResponderOs = result.ResponderOs,
        EndedBecause = result.EndedBecause,
        Cancelled = result.Cancelled,
        LocalState = result.LocalState,
        PeerState = result.PeerState,
        LocalCounters = result.LocalCounters,
        PeerCounters = result.PeerCounters,
    };
}
