namespace LatencyTuner.Core.Measurement;

/// <summary>All rounds of one rate.</summary>
/// <param name="Rate">Requests per second.</param>
/// <param name="Rounds">The results, one a round.</param>
public sealed record RatePoint(double Rate, IReadOnlyList<MeasurementResult> Rounds);
