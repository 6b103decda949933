using LatencyTuner.Core.Analysis;

namespace LatencyTuner.Core.Tuning.Recommendations;

/// <summary>A finding with one of its cures, and what was measured of it.</summary>
/// <param name="Finding">The finding.</param>
/// <param name="Cure">The cure.</param>
/// <param name="Sender">The end that sends the data that waits; null when it could not be told.</param>
/// <param name="Fix">What an experiment measured of it; null when none did.</param>
/// <param name="FixFile">The file of that experiment.</param>
/// <param name="AppliesTo">The applications concerned; null when the measured workload is.</param>
internal sealed record Basis(EvidencedFinding Finding, Cure Cure, Side? Sender, MeasuredFix? Fix, string? FixFile, string? AppliesTo);
