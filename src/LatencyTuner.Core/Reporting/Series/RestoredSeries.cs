using LatencyTuner.Core.Reporting.Model;
using LatencyTuner.Core.Series;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Reporting.Series;

/// <summary>Restores a series from its document.</summary>
internal static class RestoredSeries
{
    private const int MostBins = 1 << 20;

    internal static ObservedSeries Of(SeriesFigures figures, string path)
    {
        int length = figures.Bins.Count == 0 ? 0 : figures.Bins.Max(b => b.At) + 1;
        if (!(figures.BinMs > 0) || length > MostBins || figures.Bins.Any(b => b.At < 0 || b.N < 0 || !(b.P50Us >= 0) || !(b.TailUs >= 0)))
        {
            throw new ExpectedFailureException(
                ExitCode.Input, $"{path}: the bins of {Quoting.Quote(figures.Name)} are not valid; the file was damaged or edited.");
        }

        ObservedSeries series = new(figures.Name, figures.Kind)
        {
            StartSeconds = figures.StartUtc.ToUnixTimeMilliseconds() / 1e3,
            StepSeconds = figures.BinMs / 1e3,
            LateSeconds = double.IsFinite(figures.LateMs) ? Math.Clamp(figures.LateMs, -figures.BinMs / 2, figures.BinMs / 2) / 1e3 : 0,
            MedianNs = new double[length],
            TailNs = new double[length],
            Counts = new int[length],
            Slow = figures.Slow is null ? [] : new int[length],
            IsApproximate = figures.Approximate,
            RowsAreIntervals = true,
            Rows = figures.Rows,
            ExcludedRows = figures.ExcludedRows,
            EmptyRows = figures.EmptyRows,
        };
        Array.Fill(series.MedianNs, double.NaN);
        Array.Fill(series.TailNs, double.NaN);
        foreach (SeriesBin bin in figures.Bins)
        {
            series.MedianNs[bin.At] = bin.P50Us * 1e3;
            series.TailNs[bin.At] = bin.TailUs * 1e3;
            series.Counts[bin.At] = (int)Math.Min(int.MaxValue, bin.N);
            if (series.Slow.Length > 0)
            {
                series.Slow[bin.At] = (int)Math.Min(int.MaxValue, bin.Slow);
            }
        }
        try
        {
            series.Distribution.Add(StoredHistograms.Decode(figures.Histogram));
        }
        catch (ExpectedFailureException e)
        {
            throw new ExpectedFailureException(ExitCode.Input, $"{path}: series {Quoting.Quote(figures.Name)}: {e.Message}", e);
        }
        series.NoteList.AddRange(figures.Notes);
        return series;
    }
}
