namespace LatencyTuner.Core.Measurement;

/// <summary>What a sweep over rates found, before any judgement.</summary>
/// <param name="Target">What was measured.</param>
/// <param name="Plan">How.</param>
/// <param name="StartedUtc">When.</param>
/// <param name="Points">The rates in ascending order; those without any result are left out.</param>
/// <param name="EndedBecause">The failure that ended it, a sentence; null when none.</param>
/// <param name="Cancelled">True when it was cancelled.</param>
public sealed record RateSweepResult(
    MeasurementTarget Target, RateSweepPlan Plan, DateTimeOffset StartedUtc, IReadOnlyList<RatePoint> Points, string? EndedBecause, bool Cancelled)
{
    /// <summary>True when every point was measured in every round.</summary>
    public bool Complete => EndedBecause is null && !Cancelled;
}
