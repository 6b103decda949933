using LatencyTuner.Core.Reporting.Model;

namespace LatencyTuner.Core.Reporting.Building;

/// <summary>What <c>check</c> found out about one target.</summary>
/// <param name="Name">As the user gave it.</param>
/// <param name="Measurement">The declared workload measured; null when it could not be.</param>
/// <param name="Diagnosis">The experiment; null when it could not be made.</param>
/// <param name="Failure">Why something is missing, a sentence; null when nothing is.</param>
public sealed record CheckedTarget(string Name, MeasurementReport? Measurement, DiagnosisReport? Diagnosis, string? Failure);
