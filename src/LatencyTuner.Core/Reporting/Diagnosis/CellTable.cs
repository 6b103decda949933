using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Reporting.Pages;
using LatencyTuner.Core.Statistics;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Reporting.Diagnosis;

/// <summary>The cells of an experiment, grouped by write pattern.</summary>
internal static class CellTable
{
    internal static TableBlock Of(IReadOnlyList<DiagnosisCell> cells)
    {
        bool withAcks = cells.Any(c => c.PureAcksPerRequest is not null);
        List<TableColumn> columns = new()
        {
            new("changed"), new("n", Right: true), new("median", Right: true, "95 % interval"), new("99th", Right: true, "95 % interval"),
            new("stalled", Right: true),
        };
        if (withAcks)
        {
            columns.Add(new("ACKs", Right: true));
        }

        List<IReadOnlyList<TableCell>> rows = new();
        foreach (IGrouping<string, DiagnosisCell> group in cells.GroupBy(c => c.Pattern))
        {
            rows.Add([new(Pattern(group.Key))]);
            rows.AddRange(group.Select(c => Row(c, withAcks)));
        }

        string bound = cells.Any(c => c.P99Us is null && c.Intervals.GetValueOrDefault("p99Us")?.AtLeastUs is not null)
            ? ">= : too few samples; the largest value seen. "
            : "";
        string failed =
            string.Concat(
                cells.Where(c => c.NotMeasuredBecause is not null).Select(c => $"{Format.Sentence(Changed(c))} was not measured: {c.NotMeasuredBecause}. "));
        string acks = withAcks ? "ACKs: pure ACKs per request that the sender of the split writes received. " : "";
        string caption = (acks + bound + failed).TrimEnd();
        return new TableBlock(columns, rows, caption.Length == 0 ? null : caption);
    }

    /// <summary>One line per cell for a screen: without intervals, the pattern as part of the name.</summary>
    internal static TableBlock OnScreen(IReadOnlyList<DiagnosisCell> cells)
    {
        List<IReadOnlyList<TableCell>> rows = [];
        void Add(DiagnosisCell cell, string name) => rows.Add([new(name), .. Row(cell, withAcks: false).Skip(1).Select(c => c with { Detail = null })]);

        // One write is what the others are compared with; its variants change nothing.
        foreach (DiagnosisCell cell in cells.Where(c => c.Pattern == "single").Take(1))
        {
            Add(cell, Pattern(cell.Pattern));
        }

        foreach (IGrouping<string, DiagnosisCell> group in cells.Where(c => c.Pattern != "single").GroupBy(c => c.Pattern))
        {
            foreach (DiagnosisCell cell in group)
            {
                string changed = Changed(cell);
                Add(cell, changed == "nothing" ? Pattern(group.Key) : $"  {changed}");
            }
        }

        return new TableBlock(
            [new("writes, and what was changed"), new("n", true, Optional: true), new("median", true), new("99th", true), new("stalled", true)], rows);
    }

    private static List<TableCell> Row(DiagnosisCell cell, bool withAcks)
    {
        IntervalFigures? median = cell.Intervals.GetValueOrDefault("p50Us");
        IntervalFigures? p99 = cell.Intervals.GetValueOrDefault("p99Us");
        List<TableCell> row = new()
        {
            new("  " + Changed(cell)),
            new(Format.Count(cell.N)),
            new(IntervalText.FigureOrBound(cell.P50Us, median), IntervalText.Below(cell.P50Us, median)),
            new(IntervalText.FigureOrBound(cell.P99Us, p99), IntervalText.Below(cell.P99Us, p99)),
            new(cell.N == 0 ? Format.Unknown : Format.Share(cell.StallShare), Tone: cell.StallShare > 0 ? Tone.Bad : Tone.Neutral),
        };
        if (withAcks)
        {
            row.Add(new(cell.PureAcksPerRequest is { } acks ? Format.Number(acks) : Format.Unknown));
        }

        return row;
    }

    /// <summary>The write pattern in words.</summary>
    internal static string Pattern(string pattern) => pattern switch
    {
        "single" => "one write each way",
        "split" => "request in two writes",
        "split-reply" => "reply in two writes",
        _ => pattern,
    };

    /// <summary>What was changed in a cell, in words.</summary>
    internal static string Changed(DiagnosisCell cell)
    {
        List<string> changes = new();
        if (cell.NoDelay && cell.PeerNoDelay)
        {
            changes.Add("both NODELAY");
        }
        else if (cell.NoDelay)
        {
            changes.Add("client NODELAY");
        }
        else if (cell.PeerNoDelay)
        {
            changes.Add("server NODELAY");
        }

        if (cell.Ack == "immediate" && cell.PeerAck == "immediate")
        {
            changes.Add("both ACK at once");
        }
        else if (cell.Ack == "immediate")
        {
            changes.Add("client ACKs at once");
        }
        else if (cell.PeerAck == "immediate")
        {
            changes.Add("server ACKs at once");
        }

        return changes.Count == 0 ? "nothing" : string.Join(", ", changes);
    }
}
