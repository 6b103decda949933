using LatencyTuner.Core.Analysis;

namespace LatencyTuner.Core.Tuning.Recommendations;

/// <summary>An experiment with the remedies it measured.</summary>
/// <param name="Target">What it measured.</param>
/// <param name="Verdict">On requests in two writes.</param>
/// <param name="ReplyVerdict">On replies in two writes; null when not measured.</param>
/// <param name="Fixes">The remedies.</param>
public sealed record EvidencedExperiment(string Target, DiagnosisVerdict Verdict, DiagnosisVerdict? ReplyVerdict, IReadOnlyList<MeasuredFix> Fixes);
