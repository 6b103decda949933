namespace LatencyTuner.Core.Tuning;

/// <summary>The changes that a template setting takes, and what an admin must know before they are applied.</summary>
/// <param name="Changes">The changes in the order in which they are written; undone in reverse.</param>
/// <param name="Notes">Sentences.</param>
public sealed record TemplatePlan(IReadOnlyList<Change> Changes, IReadOnlyList<string> Notes);
