using LatencyTuner.Core.Etw;

namespace LatencyTuner.Core.Analysis.Traces;

/// <summary>Everything the rules about traces reason about.</summary>
internal sealed class TraceEvidence
{
    public required string Path { get; init; }
    public required TraceAnalyser Analyser { get; init; }
    public required SeverityLimits Limits { get; init; }
    public required TcpEventCounts Decoded { get; init; }
    public required EtlCounts Counts { get; init; }
    public required bool HasPackets { get; init; }
    public bool Cancelled { get; init; }

    /// <summary>Why a live trace ended before its time, a clause; null when it did not.</summary>
    public string? EndedEarly { get; init; }

    /// <summary>Only connections of these processes; empty for all.</summary>
    public IReadOnlyList<int> ProcessIds { get; init; } = [];

    public IReadOnlyList<TraceConnection> Connections => _connections ??= ProcessIds.Count == 0 ? Analyser.Connections : [.. Analyser.Connections.Where(c => IsChosen(c.ProcessId))];

    public IEnumerable<TraceProcess> Processes => ProcessIds.Count == 0 ? Analyser.Processes : Analyser.Processes.Where(p => IsChosen(p.Id));

    private IReadOnlyList<TraceConnection>? _connections;

    private bool IsChosen(uint? processId) => processId is { } id && ProcessIds.Contains((int)id);
}
