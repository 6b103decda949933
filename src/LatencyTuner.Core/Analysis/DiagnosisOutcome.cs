namespace LatencyTuner.Core.Analysis;

/// <summary>What an experiment says.</summary>
/// <param name="Verdict">For requests in two writes.</param>
/// <param name="ReplyVerdict">For replies in two writes; null when not measured.</param>
/// <param name="Fixes">Remedies, best measured effect first.</param>
/// <param name="Findings">Findings; exposure is <c>info</c>.</param>
public sealed record DiagnosisOutcome(
    DiagnosisVerdict Verdict, DiagnosisVerdict? ReplyVerdict, IReadOnlyList<DiagnosisFix> Fixes, IReadOnlyList<Finding> Findings);
