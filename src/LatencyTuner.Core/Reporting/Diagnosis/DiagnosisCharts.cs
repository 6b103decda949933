using LatencyTuner.Core.Analysis.Diagnosis;
using LatencyTuner.Core.Reporting.Charts;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Reporting.Diagnosis;

/// <summary>The charts of an experiment.</summary>
internal static class DiagnosisCharts
{
    /// <summary>The fixes with their measured and predicted medians; null when none was measured.</summary>
    /// <param name="fixes">The fixes of one direction.</param>
    /// <param name="name">Name of the chart.</param>
    internal static RowChart? Fixes(IReadOnlyList<DiagnosisFix> fixes, string name)
    {
        DiagnosisFix[] measured = [.. fixes.Where(f => f is { P50UsBefore: > 0, P50UsAfter: > 0 })];
        if (measured.Length == 0)
        {
            return null;
        }

        ChartKey now = new("now", 2, KeyShape.Bar);
        ChartKey after = new("with the fix, measured", 1, KeyShape.Bar);
        ChartKey predicted = new("with the fix, predicted", 3, KeyShape.Bar);
        return new RowChart
        {
            Name = name,
            Caption = "The median of a request now, and with each fix; the shortest bar is the best fix.",
            Alternative = string.Join(" ", measured.Select(f => $"{f.What} {DiagnosisPage.Effect(f)}")),
            X = new("median time of a request",
                ChartScale.OfBars(measured.SelectMany(f => new[] { f.P50UsBefore, f.P50UsAfter, f.P50UsPredicted }).OfType<double>()), ChartText.Us),
            Keys = [now, after, .. measured.Any(f => f.P50UsPredicted is not null) ? new[] { predicted } : []],
            Rows =
            [
                .. measured.Select(f => new ChartRow(
                    $"{Format.Sentence(f.Where)}: {f.What}",
                    [
                        new(now, f.P50UsBefore!.Value, Format.Us(f.P50UsBefore)),
                        new(after, f.P50UsAfter!.Value, $"{Format.Us(f.P50UsAfter)}, n = {Format.Count(f.N)}"),
                        .. f.P50UsPredicted is { } us ? new RowBar[] { new(predicted, us, $"{Format.Us(us)} predicted") } : [],
                    ])),
            ],
        };
    }

    /// <summary>All cells with their medians and intervals; null without any.</summary>
    internal static RowChart? Cells(IReadOnlyList<DiagnosisCell> cells)
    {
        DiagnosisCell[] measured = [.. cells.Where(c => c.P50Us is > 0)];
        if (measured.Length < 2)
        {
            return null;
        }

        string[] patterns = [.. measured.Select(c => c.Pattern).Distinct()];
        ChartKey[] keys = [.. patterns.Select((p, i) => new ChartKey(CellTable.Pattern(p), ChartStyle.Color(i), KeyShape.Bar))];
        return new RowChart
        {
            Name = "cells",
            Caption = "The median of each combination of write pattern and options that was tried.",
            Alternative = string.Join("; ", measured.Select(c => $"{CellTable.Pattern(c.Pattern)}, {CellTable.Changed(c)}: {Format.Us(c.P50Us)}")) + ".",
            X = new("median time of a request", ChartScale.OfBars(measured.Select(c => c.P50Us!.Value)), ChartText.Us),
            Keys = keys,
            Rows =
            [
                .. measured.GroupBy(CellTable.Changed).Select(g => new ChartRow(
                    g.Key == "nothing" ? "Nothing changed" : Format.Sentence(g.Key),
                    [
                        .. g.Select(c => new RowBar(
                            keys[Array.IndexOf(patterns, c.Pattern)], c.P50Us!.Value, $"{Format.Us(c.P50Us)}, n = {Format.Count(c.N)}", null,
                            c.Intervals.GetValueOrDefault("p50Us")?.LowUs, c.Intervals.GetValueOrDefault("p50Us")?.HighUs)),
                    ])),
            ],
        };
    }
}
