using LatencyTuner.Core.Etw;
using LatencyTuner.Core.Findings;

namespace LatencyTuner.Core.Recordings.Traces;

/// <summary>The evidence that the rules about traces use.</summary>
internal sealed class TraceEvidence
{
    private IReadOnlyList<TraceConnection>? _connections;

    public required string Path { get; init; }
    public required TraceAnalyser Analyser { get; init; }
    public required SeverityLimits Limits { get; init; }
    public required TcpEventCounts Decoded { get; init; }
    public required EtlCounts Counts { get; init; }
    public required bool HasPackets { get; init; }
    public bool Cancelled { get; init; }

    /// <summary>Ids of the processes to analyse; empty for all.</summary>
    public IReadOnlyList<uint> Chosen { get; init; } = [];

    /// <summary>True when connections were chosen by their ends, which sockets without a connection do not show.</summary>
    public bool JoinedOnly { get; init; }

    /// <summary>Why a live trace ended early, as a clause; null when it did not.</summary>
    public string? EndedEarly { get; init; }

    /// <summary>The connections to analyse, chosen by their process: events of timers and ACKs do not name a process themselves.</summary>
    public IReadOnlyList<TraceConnection> Connections =>
        _connections ??= Chosen.Count == 0 ? Analyser.Connections : [.. Analyser.Connections.Where(c => c.ProcessId is { } id && Chosen.Contains(id))];

    public IEnumerable<TraceProcess> Processes => Analyser.Processes.Where(p => Chosen.Count == 0 || Chosen.Contains(p.Id));
}
