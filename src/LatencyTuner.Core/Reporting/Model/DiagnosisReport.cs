using LatencyTuner.Core.Analysis;

namespace LatencyTuner.Core.Reporting.Model;

/// <summary>The <c>diagnosis</c> document.</summary>
public sealed record DiagnosisReport
{
    /// <summary><c>latencytuner/diagnosis/1</c>.</summary>
    public string Schema { get; init; } = "latencytuner/diagnosis/1";

    /// <summary>False when it ended early.</summary>
    public required bool Complete { get; init; }

    /// <summary>Why it ended early, a sentence.</summary>
    public string? EndedBecause { get; init; }

    /// <summary>When it started.</summary>
    public required DateTimeOffset StartedUtc { get; init; }

    /// <summary>What was measured.</summary>
    public required TargetDescription Target { get; init; }

    /// <summary>Rounds of the interleaved experiment that were finished.</summary>
    public required int Rounds { get; init; }

    /// <summary>Request size in bytes.</summary>
    public int SizeBytes { get; init; }

    /// <summary>Sizes of the two writes of a split request in bytes.</summary>
    public IReadOnlyList<int> WritesBytes { get; init; } = [];

    /// <summary>The cells.</summary>
    public IReadOnlyList<DiagnosisCell> Cells { get; init; } = [];

    /// <summary>The verdict for requests in two writes.</summary>
    public required DiagnosisVerdict Verdict { get; init; }

    /// <summary>The verdict for replies in two writes; null when not measured.</summary>
    public DiagnosisVerdict? ReplyVerdict { get; init; }

    /// <summary>Remedies, best measured effect first.</summary>
    public IReadOnlyList<DiagnosisFix> Fixes { get; init; } = [];

    /// <summary>The same experiment on loopback, as context; null when the target is loopback or it was left out.</summary>
    public DiagnosisContext? Loopback { get; init; }

    /// <summary>Findings.</summary>
    public IReadOnlyList<Finding> Findings { get; init; } = [];

    /// <summary>What the reader must know, a sentence each.</summary>
    public IReadOnlyList<string> Notes { get; init; } = [];
}
