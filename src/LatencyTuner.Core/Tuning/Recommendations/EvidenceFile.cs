using LatencyTuner.Core.Analysis.Diagnosis;
using LatencyTuner.Core.Findings;

namespace LatencyTuner.Core.Tuning.Recommendations;

/// <summary>A report that recommendations are drawn from.</summary>
public sealed record EvidenceFile
{
    /// <summary>The name of the file.</summary>
    public required string File { get; init; }

    /// <summary>The kind of report: <c>diagnosis</c>, <c>measurement</c>, <c>check</c> and so on.</summary>
    public required string Kind { get; init; }

    /// <summary>False when the measurement in it ended early.</summary>
    public bool Complete { get; init; } = true;

    /// <summary>The paths that it measured.</summary>
    public IReadOnlyList<EvidencedPath> Paths { get; init; } = [];

    /// <summary>The findings in the report.</summary>
    public IReadOnlyList<Finding> Findings { get; init; } = [];

    /// <summary>The experiments in it.</summary>
    public IReadOnlyList<EvidencedExperiment> Experiments { get; init; } = [];
}

/// <summary>An experiment with the remedies it measured.</summary>
/// <param name="Target">The target that it measured.</param>
/// <param name="Verdict">The verdict on requests in two writes.</param>
/// <param name="ReplyVerdict">The verdict on replies in two writes; null when not measured.</param>
/// <param name="Fixes">The remedies with their measured effects.</param>
public sealed record EvidencedExperiment(string Target, DiagnosisVerdict Verdict, DiagnosisVerdict? ReplyVerdict, IReadOnlyList<MeasuredFix> Fixes);

/// <summary>A path that was measured, from the host where the report was made.</summary>
/// <param name="Target">The name that was given, <c>loopback</c> for this machine.</param>
/// <param name="Address">The address that was connected to; null when unknown.</param>
/// <param name="IsIPv6">True over IPv6; null when unknown.</param>
/// <param name="ServerOs">Operating system of the responder; null when unknown.</param>
public sealed record EvidencedPath(string Target, string? Address, bool? IsIPv6, string? ServerOs)
{
    /// <summary>True when both ends are the machine that measured.</summary>
    public bool IsLoopback => Target == "loopback";

    /// <summary>True when the server runs Windows; null when unknown.</summary>
    public bool? IsOfWindows => ServerOs?.Contains("Windows", StringComparison.OrdinalIgnoreCase);
}

/// <summary>A remedy of an experiment with the intervals of its medians.</summary>
/// <param name="Fix">The remedy.</param>
/// <param name="BeforeN">Requests measured without it; null when unknown.</param>
/// <param name="AfterLowUs">Lower end of the 95 % interval of the median with it, in microseconds; null when unknown.</param>
/// <param name="AfterHighUs">Upper end; null when unknown or open.</param>
public sealed record MeasuredFix(DiagnosisFix Fix, long? BeforeN, double? AfterLowUs, double? AfterHighUs)
{
    /// <summary>Share of the median that a remedy must save: less than a tenth is no effect.</summary>
    public const double LeastShare = 0.1;

    /// <summary>True when it was measured and did nothing.</summary>
    public bool HadNoEffect => Fix.Saves < LeastShare;

    /// <summary>Milliseconds per request that it saves at the median; null when not measured.</summary>
    public double? SavesMs => Fix is { P50UsBefore: { } before, P50UsAfter: { } after } ? (before - after) / 1000 : null;
}
