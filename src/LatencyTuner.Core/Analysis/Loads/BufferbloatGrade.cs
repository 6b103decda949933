using LatencyTuner.Core.Statistics;

namespace LatencyTuner.Core.Analysis.Loads;

/// <summary>How much a path's latency rises while it is full, as a grade; none where it was not full or too few requests were answered.</summary>
/// <param name="Grade">A+ to F; null when it cannot be graded.</param>
/// <param name="Low">The grade at the lower end of the interval.</param>
/// <param name="High">The grade at the upper end.</param>
/// <param name="Because">Why the path counts as full, or why there is no grade; a sentence or several.</param>
internal sealed record BufferbloatGrade(string? Grade, string? Low, string? High, string Because)
{
    /// <summary>Grades a path.</summary>
    /// <param name="added">By how much the 90th percentile rises under load; null when too few requests were answered.</param>
    /// <param name="loads">Whether each direction of the path was full.</param>
    public static BufferbloatGrade From(AddedLatency? added, IReadOnlyList<LoadJudgement> loads)
    {
        string? doubt = loads.Count == 0 ? "No loaded phase was measured."
            : added is null ? "Too few requests were answered: 20 idle and 20 loaded requests are needed."
            : loads.FirstOrDefault(j => j.Saturated != true)?.Because;
        return doubt is not null || added is not { } more
            ? new(null, null, null, doubt ?? "")
            : new(
                BufferbloatScale.Of(more.ValueNs / 1e6), BufferbloatScale.Of(more.LowNs / 1e6), BufferbloatScale.Of(more.HighNs / 1e6),
                string.Join(" ", loads.Select(l => l.Because).Distinct()));
    }
}
