namespace LatencyTuner.Core.Measurement.Probes;

/// <summary>What came of all targets, before any judgement.</summary>
/// <param name="StartedUtc">When it began.</param>
/// <param name="Elapsed">How long it took.</param>
/// <param name="Plan">How it was asked.</param>
/// <param name="Series">One for each target, in the order given.</param>
/// <param name="Cancelled">True when it was cancelled.</param>
public sealed record ProbeResult(DateTimeOffset StartedUtc, TimeSpan Elapsed, ProbePlan Plan, IReadOnlyList<ProbeSeries> Series, bool Cancelled);
