using System.Globalization;
using System.Text;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Reporting.Pages;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Reporting.Writers;

/// <summary>Writes a table as HTML.</summary>
internal static class HtmlTable
{
    internal static void Write(StringBuilder html, TableBlock written)
    {
        TableBlock table = written.WithoutGaps();
        html.Append("<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Table\"><table>\n");
        html.Append("<thead><tr>");
        foreach (TableColumn column in table.Columns)
        {
            // A heading without words is none.
            string cell = column.Header.Length == 0 ? "<td></td>"
                : $"<th scope=\"col\"{Align(column.Right)}>{Markup.Escape(column.Header)}{Small(column.SubHeader)}</th>";
            html.Append(cell);
        }

        html.Append("</tr></thead>\n<tbody>\n");
        foreach (IReadOnlyList<TableCell> row in table.Rows)
        {
            Row(html, table.Columns, row);
        }

        html.Append("</tbody></table></div>\n");
        if (table.CaptionOf(table.Columns) is { } caption)
        {
            html.Append(CultureInfo.InvariantCulture, $"<p class=\"legend\">{Markup.Escape(caption)}</p>\n");
        }
    }

    private static void Row(StringBuilder html, IReadOnlyList<TableColumn> columns, IReadOnlyList<TableCell> row)
    {
        if (row.Count == 1)
        {
            html.Append(
                CultureInfo.InvariantCulture,
                $"<tr{Place(row[0])}><th scope=\"rowgroup\" class=\"group\" colspan=\"{columns.Count}\">{Markup.Escape(row[0].Text)}</th></tr>\n");
            return;
        }

        html.Append(CultureInfo.InvariantCulture, $"<tr{Place(row[0])}>");
        for (int i = 0; i < row.Count; i++)
        {
            string tag = i == 0 ? "th scope=\"row\"" : "td";
            string classes = $"{(columns[i].Right ? "right " : "")}{(row[i].Tone == Tone.Neutral ? "" : HtmlReportWriter.Class(row[i].Tone))}".Trim();
            string attribute = classes.Length == 0 ? "" : $" class=\"{classes}\"";
            string text = Markup.Escape(row[i].Text.Trim());
            html.Append(
                CultureInfo.InvariantCulture,
                $"<{tag}{attribute}>{(row[i].Link is { } place ? $"<a href=\"#{place}\">{text}</a>" : text)}{Small(row[i].Detail)}</{tag[..2]}>");
        }

        html.Append("</tr>\n");
    }

    private static string Place(TableCell first) => first.Anchor is { } place ? $" id=\"{place}\"" : "";

    private static string Align(bool right) => right ? " class=\"right\"" : "";

    private static string Small(string? text) => string.IsNullOrEmpty(text) ? "" : $"<small>{Markup.Escape(text)}</small>";
}
