namespace LatencyTuner.Core.Analysis.Selftest;

/// <summary>What a probe found.</summary>
/// <param name="Result">Whether the assumption holds.</param>
/// <param name="Because">Why, a sentence.</param>
/// <param name="Evidence">What was seen, a figure or a fact each; without names or addresses of the machine.</param>
public sealed record ProbeFinding(AssumptionState Result, string Because, IReadOnlyList<string> Evidence)
{
    internal static ProbeFinding Of(bool holds, string because, params string[] evidence) =>
        new(holds ? AssumptionState.Holds : AssumptionState.DoesNotHold, because, evidence);

    internal static ProbeFinding Unknown(string because, params string[] evidence) => new(AssumptionState.CannotTell, because, evidence);
}
