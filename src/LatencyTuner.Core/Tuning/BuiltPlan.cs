namespace LatencyTuner.Core.Tuning;

/// <summary>A plan, and what an admin must know of its reach before it is applied.</summary>
/// <param name="Plan">The plan.</param>
/// <param name="Notes">Sentences.</param>
public sealed record BuiltPlan(ChangePlan Plan, IReadOnlyList<string> Notes);
