namespace LatencyTuner.Core.Measurement.Sweeps;

/// <summary>The results of a sweep, before any verdict.</summary>
/// <param name="Target">The responder that was measured.</param>
/// <param name="Plan">The settings of the sweep.</param>
/// <param name="StartedUtc">Start of the reported run, UTC.</param>
/// <param name="Points">Every point of the plan in its order, measured or not.</param>
/// <param name="EndedBecause">The failure that ended the sweep early, a sentence; null when there was none.</param>
/// <param name="Cancelled">True when it was cancelled.</param>
/// <param name="Resumed">Number of rounds that come from a state file instead of this run.</param>
public sealed record SweepResult(
    MeasurementTarget Target, SweepPlan Plan, DateTimeOffset StartedUtc, IReadOnlyList<SweepPointResult> Points, string? EndedBecause, bool Cancelled,
    int Resumed = 0)
{
    /// <summary>True when every point was measured in every round or given up because of its own failure.</summary>
    public bool Complete => EndedBecause is null && !Cancelled;
}

/// <summary>All rounds of one point.</summary>
/// <param name="Cell">The point.</param>
/// <param name="Rounds">The results, in the order of the rounds.</param>
/// <param name="Failure">Why the point was given up, a sentence; null when it was not.</param>
public sealed record SweepPointResult(SweepCell Cell, IReadOnlyList<SweepRound> Rounds, string? Failure);
