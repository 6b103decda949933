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

    public IReadOnlyList<TraceConnection> Connections => Analyser.Connections;
}
