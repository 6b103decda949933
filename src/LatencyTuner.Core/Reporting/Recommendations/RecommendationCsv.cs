using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Reporting.Writers;
using LatencyTuner.Core.Text;
using LatencyTuner.Core.Tuning.Recommendations;

namespace LatencyTuner.Core.Reporting.Recommendations;

/// <summary>The CSV table of a <c>recommendation</c> document.</summary>
internal static class RecommendationCsv
{
    /// <summary>Recommendations: one row each, in their order; then the findings without a cure, as <c>not-cured</c>.</summary>
    internal static string Write(RecommendationReport report)
    {
        CsvTable table = new(
            "rank", "id", "kind", "title", "where", "host", "target", "appliesTo", "basis", "savesMs", "p50UsBefore", "p50UsAfter", "p99UsAfter", "n", "file",
            "confidence", "tradeOff", "scope", "takesEffect", "settingId", "value", "current", "how", "undo", "findings");
        int rank = 0;
        foreach (Recommendation r in report.Recommendations)
        {
            table.Row(
                ++rank, r.Id, Format.Kebab(r.Kind), r.Title, r.Where, r.Host, r.Target, r.AppliesTo, Format.Kebab(r.Effect.Basis), r.Effect.SavesMs,
                r.Effect.P50UsBefore,
                r.Effect.P50UsAfter, r.Effect.P99UsAfter, r.Effect.N, r.Effect.File, FindingWords.Of(r.Confidence), r.TradeOff, r.Scope, r.TakesEffect,
                r.SettingId,
                r.Value,
                string.Join("|", r.Current.Select(RecommendationPage.Current)), string.Join("|", r.How), r.Undo, string.Join("|", r.Findings));
        }

        foreach (Explanation e in report.NotCured)
        {
            table.Row(
                null, e.FindingId, "not-cured", e.Text, null, null, e.Target, null, null, null, null, null, null, null, e.File,
                null, null, null, null, null, null, null, e.LookAt, null, e.FindingId);
        }

        return table.ToString();
    }
}
