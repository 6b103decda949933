using LatencyTuner.Core.Reporting.Pages;

namespace LatencyTuner.Core.Reporting.Writers;

/// <summary>Writes a table in columns, or as one block per row when it is wider than the page.</summary>
internal static class TextTable
{
    private const int Gap = 2;

    internal static void Write(TextCanvas text, TableBlock written, string indent, int width)
    {
        TableBlock table = written.WithoutGaps();
        List<List<TableCell>> rows = table.Rows
            .Select(r => r.Select(c => c with { Text = text.Clean(c.Text), Detail = c.Detail is null ? null : text.Clean(c.Detail) }).ToList()).ToList();
        IReadOnlyList<TableColumn> columns = table.Columns;
        while (Widths(columns, rows).Sum() + (Gap * (columns.Count - 1)) + indent.Length > width && columns.Any(c => c.Optional))
        {
            int dropped = columns.ToList().FindLastIndex(c => c.Optional);
            columns = [.. columns.Where((_, i) => i != dropped)];
            rows = [.. rows.Select(r => r.Count == 1 ? r : [.. r.Where((_, i) => i != dropped)])];
        }

        int[] widths = Widths(columns, rows);

        // The first column holds names of any length, so it is the one that becomes narrower.
        int excess = indent.Length + widths.Sum() + (Gap * (columns.Count - 1)) - width;
        if (excess > 0)
        {
            widths[0] -= excess;
        }

        // Names wrap; the lines below them do not.
        int detail = rows.Where(r => r.Count == columns.Count).Select(r => r[0].Detail?.Length ?? 0).DefaultIfEmpty(0).Max();
        if (excess > 0 && (widths[0] < Math.Min(12, 1 + columns[0].Header.Length) || widths[0] < detail))
        {
            Stacked(text, columns, rows, indent);
        }
        else
        {
            Columns(text, columns, rows, widths, indent);
        }

        if (table.CaptionOf(columns) is { } caption)
        {
            text.Wrapped(caption, indent, indent, dim: true);
        }
    }

    private static int[] Widths(IReadOnlyList<TableColumn> columns, List<List<TableCell>> rows) => [.. columns.Select((column, i) => Math.Max(
        Math.Max(column.Header.Length, column.SubHeader?.Length ?? 0),
        rows.Where(r => r.Count == columns.Count).Select(r => Math.Max(r[i].Text.Length, r[i].Detail?.Length ?? 0)).DefaultIfEmpty(0).Max()))];

    private static void Columns(TextCanvas text, IReadOnlyList<TableColumn> columns, List<List<TableCell>> rows, int[] widths, string indent)
    {
        Emit([.. columns.Select(c => new TableCell(c.Header))]);
        if (columns.Any(c => c.SubHeader is not null))
        {
            Emit([.. columns.Select(c => new TableCell(c.SubHeader ?? ""))]);
        }

        foreach (List<TableCell> row in rows)
        {
            if (row.Count == 1)
            {
                text.Wrapped(row[0].Text, indent, indent);
                continue;
            }

            IReadOnlyList<string> names = TextCanvas.Wrap(row[0].Text.TrimStart(), Leading(row[0].Text), Leading(row[0].Text), widths[0]);
            Emit([row[0] with { Text = names[0] }, .. row.Skip(1)]);
            int extra = Math.Max(names.Count - 1, row.Any(c => c.Detail is not null) ? 1 : 0);
            for (int i = 1; i <= extra; i++)
            {
                string name = i < names.Count ? names[i] : i == names.Count ? row[0].Detail ?? "" : "";
                Emit([new(name), .. row.Skip(1).Select(c => new TableCell(i == 1 ? c.Detail ?? "" : ""))]);
            }
        }

        void Emit(IReadOnlyList<TableCell> cells)
        {
            IEnumerable<string> parts = cells.Select((c, i) =>
            {
                string padding = new(' ', Math.Max(0, widths[i] - c.Text.Length));
                string shown = text.Toned(c.Text, c.Tone);
                return columns[i].Right ? padding + shown : i == cells.Count - 1 ? shown : shown + padding;
            });
            text.Line(indent + string.Join(new string(' ', Gap), parts));
        }
    }

    private static string Leading(string text) => new(' ', text.Length - text.TrimStart().Length);

    private static void Stacked(TextCanvas text, IReadOnlyList<TableColumn> columns, List<List<TableCell>> rows, string indent)
    {
        int nameWidth = Math.Min(20, columns.Max(c => c.Header.Length)) + Gap;
        foreach (List<TableCell> row in rows)
        {
            text.Wrapped(row[0].Text.TrimStart() + (row[0].Detail is { } note ? $" ({note})" : ""), indent, indent);
            for (int i = 1; i < row.Count; i++)
            {
                string value = row[i].Text + (row[i].Detail is { } detail ? $" ({detail})" : "");
                if (value.Length > 0)
                {
                    text.Wrapped(value, indent + indent + columns[i].Header.PadRight(nameWidth), indent + indent + new string(' ', nameWidth));
                }
            }
        }
    }
}
