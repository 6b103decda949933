namespace LatencyTuner.Core.Analysis.Selftest;

/// <summary>What the selftests and the steps of a proof say together.</summary>
internal static class ProofJudgement
{
    /// <summary>Every assumption, in the order of the list. What does not hold in one of them does not hold; what holds in one holds.</summary>
    /// <param name="selftests">The findings of each selftest, by the id of the assumption.</param>
    /// <param name="runs">The steps.</param>
    public static IReadOnlyList<ProbedAssumption> Of(IReadOnlyList<ILookup<string, ProbeFinding>> selftests, IReadOnlyList<ProofRun> runs)
    {
        IReadOnlyDictionary<string, ProbeFinding> steps = ProofCatalogue.Judge(runs);
        return
        [
            .. AssumptionCatalogue.All.Select(a =>
            {
                // A step that was run says more of what is open than a probe that cannot tell.
                IEnumerable<ProbeFinding> ofSteps = steps.TryGetValue(a.Id, out ProbeFinding? finding) ? [finding] : [];
                List<ProbeFinding> all = [.. ofSteps, .. selftests.SelectMany(s => s[a.Id])];
                return new ProbedAssumption(
                    a,
                    all.FirstOrDefault(f => f.Result == AssumptionState.DoesNotHold) ?? all.FirstOrDefault(f => f.Result == AssumptionState.Holds)
                    ?? all.FirstOrDefault() ?? ProbeFinding.Unknown("This evidence says nothing of it."));
            }),
        ];
    }
}
