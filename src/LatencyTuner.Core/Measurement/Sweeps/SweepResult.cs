namespace LatencyTuner.Core.Measurement.Sweeps;

/// <summary>What a sweep found, before any judgement.</summary>
/// <param name="Target">What was measured.</param>
/// <param name="Plan">How.</param>
/// <param name="StartedUtc">When, in the run that is reported.</param>
/// <param name="Points">Every point of the plan in its order, measured or not.</param>
/// <param name="EndedBecause">The failure that ended it, a sentence; null when none.</param>
/// <param name="Cancelled">True when it was cancelled.</param>
/// <param name="Resumed">Rounds of points that come from a state file instead of this run.</param>
public sealed record SweepResult(
    MeasurementTarget Target, SweepPlan Plan, DateTimeOffset StartedUtc, IReadOnlyList<SweepPointResult> Points, string? EndedBecause, bool Cancelled,
    int Resumed = 0)
{
    /// <summary>True when every point was measured in every round or given up for a reason of its own.</summary>
    public bool Complete => EndedBecause is null && !Cancelled;
}

/// <summary>All rounds of one point.</summary>
/// <param name="Cell">The point.</param>
/// <param name="Rounds">What was measured, in the order of the rounds.</param>
/// <param name="Failure">Why the point was given up, a sentence; null when it was not.</param>
public sealed record SweepPointResult(SweepCell Cell, IReadOnlyList<SweepRound> Rounds, string? Failure);
