using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Recordings;
using LatencyTuner.Core.Recordings.Captures;
using LatencyTuner.Core.Recordings.Traces;

namespace LatencyTuner.Core.Analysis.Recordings;

/// <summary>What captures and traces show, before it becomes a report.</summary>
public sealed class RecordingResult
{
    internal RecordingResult(
        IReadOnlyList<RecordingFileFacts> files, IReadOnlyList<CaptureEvidence> evidence, IReadOnlyList<Finding> findings, IReadOnlyList<CapturePair> pairs,
        bool cancelled)
    {
        Files = files;
        Evidence = evidence;
        Findings = findings;
        Pairs = pairs;
        Cancelled = cancelled;
    }

    /// <summary>The files that were read.</summary>
    public IReadOnlyList<RecordingFileFacts> Files { get; }

    /// <summary>Findings, the worst first.</summary>
    public IReadOnlyList<Finding> Findings { get; }

    /// <summary>True when reading was cancelled.</summary>
    public bool Cancelled { get; }

    /// <summary>True when no connection with data in both directions was seen, so that no verdict is possible.</summary>
    public bool CannotTell => Findings.Any(f => f is { Cause: Cause.EvidenceIncomplete, Severity: Severity.Error });

    /// <summary>What was given more than once and is counted once, one or two sentences each.</summary>
    public IReadOnlyList<string> Repeats { get; init; } = [];

    /// <summary>The evidence by trace.</summary>
    internal IReadOnlyList<TraceEvidence> Traces { get; init; } = [];

    /// <summary>The evidence by capture point.</summary>
    internal IReadOnlyList<CaptureEvidence> Evidence { get; }

    /// <summary>Connections that were captured at two places.</summary>
    internal IReadOnlyList<CapturePair> Pairs { get; }
}
