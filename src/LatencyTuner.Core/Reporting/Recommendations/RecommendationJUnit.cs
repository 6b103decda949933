using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Reporting.Writers;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Reporting.Recommendations;

/// <summary>One case for each finding, with what to do about it.</summary>
internal static class RecommendationJUnit
{
    internal static JUnitSuite From(RecommendationReport report, string failOn) => new("recommend", null, 0, Cases(report, failOn));

    private static JUnitCase[] Cases(RecommendationReport report, string failOn)
    {
        if (report.Findings.Count == 0)
        {
            return [new("recommend", $"no finding at or above {failOn}", Output: report.Text)];
        }

        return
        [
            .. report.Findings.WorstFirst().Select((f, i) =>
            {
                List<string> cures = [.. report.Recommendations.Where(r => r.Findings.Contains(f.Id) && r.Target == f.Target)
                    .Select(r => $"{r.Id}: {r.Title} ({r.Where})")];
                string text =
                    $"{f.Id} {Format.Kebab(f.Cause)}, {FindingWords.Of(f.Severity)}, {FindingWords.Of(f.Confidence)}. "
                    + $"{(cures.Count > 0 ? "Recommended: " + string.Join(" ", cures) : "Nothing is recommended for it.")}";
                return new JUnitCase(
                    f.Target ?? f.File ?? "", $"{f.Id} {Format.Kebab(f.Cause)} #{i + 1}", report.Failing.Contains(f) ? text : null, Output: text);
            }),
        ];
    }
}
