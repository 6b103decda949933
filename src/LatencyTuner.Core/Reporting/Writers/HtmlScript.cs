using System.Globalization;
using System.Security.Cryptography;
using System.Text;
using LatencyTuner.Core.Reporting.Charts;
using LatencyTuner.Core.Reporting.Pages;

namespace LatencyTuner.Core.Reporting.Writers;

/// <summary>The script of an interactive page with the data of its time series, and what the policy of the page must allow for it.</summary>
/// <param name="Policy">The directive with the hash of the script.</param>
/// <param name="Sheet">The rules of its charts.</param>
/// <param name="Elements">The elements that stand at the end of the page.</param>
internal sealed record HtmlScript(string Policy, string Sheet, string Elements)
{
    private static readonly Lazy<(string Script, string Hash, string Sheet)> Parts = new(() =>
    {
        string script = $"//<![CDATA[\n{Resource("uPlot.iife.min.js")}\n{Resource("page.js")}\n//]]>";
        return (script, Convert.ToBase64String(SHA256.HashData(Encoding.UTF8.GetBytes(script))), Resource("uPlot.min.css"));
    });

    /// <summary>The script for the time series of documents; null when they have none.</summary>
    internal static HtmlScript? Of(IReadOnlyList<Page> documents)
    {
        StringBuilder data = new();
        for (int i = 0; i < documents.Count; i++)
        {
            foreach (PlotChart chart in ReportCharts.Of(documents[i]).OfType<PlotChart>().Where(c => c.IsTimeSeries))
            {
                ColumnMark[] columns = [.. chart.Marks.OfType<ColumnMark>()];
                if (columns.Length > 0)
                {
                    Append(data, $"r{i + 1}-{chart.Name}", chart, columns);
                }
            }
        }

        return data.Length == 0 ? null : new(
            $"; script-src 'sha256-{Parts.Value.Hash}'",
            "\n" + Parts.Value.Sheet + "\n.live + .wide, .live + .wide + .narrow { display: none !important; }\n"
            + ".u-legend { color: var(--ink); font-size: .85rem; }\n"
            + "button { font: inherit; margin: 0 .5rem .4rem 0; }\n"
            + "@media print { .live { display: none; } .live + .wide { display: block !important; } }",
            $"<script type=\"application/json\" id=\"series\">[{data}]</script>\n<script>{Parts.Value.Script}</script>\n");
    }

    private static void Append(StringBuilder data, string id, PlotChart chart, ColumnMark[] columns)
    {
        static string Quoted(string text) => "\"" + System.Text.Encodings.Web.JavaScriptEncoder.Default.Encode(text) + "\"";
        _ = data.Append(data.Length == 0 ? "" : ",").Append(
            CultureInfo.InvariantCulture,
            $"{{\"id\":{Quoted(id)},\"clock\":{(chart.X.Scale.Kind == ScaleKind.Clock ? "true" : "false")},"
            + $"\"log\":{(chart.Y.Scale.Kind == ScaleKind.Log ? "true" : "false")},"
            + $"\"names\":[{string.Join(',', columns[0].Names.Select(Quoted))}],\"values\":[[");
        List<(double X, ColumnMark? Column)> rows = [];
        for (int i = 0; i < columns.Length; i++)
        {
            // A gap interrupts the lines.
            if (i > 0 && columns[i].X0 > columns[i - 1].X1 + ((columns[i].X1 - columns[i].X0) / 2))
            {
                rows.Add((columns[i - 1].X1, null));
            }

            rows.Add(((columns[i].X0 + columns[i].X1) / 2, columns[i]));
        }

        _ = data.AppendJoin(',', rows.Select(r => r.X.ToString("0.###", CultureInfo.InvariantCulture))).Append(']');
        for (int k = 0; k < columns[0].Names.Count; k++)
        {
            _ = data.Append(",[").AppendJoin(',', rows.Select(r => r.Column is { } c && double.IsFinite(c.Values[k])
                ? c.Values[k].ToString("0.###", CultureInfo.InvariantCulture) : "null")).Append(']');
        }

        _ = data.Append("]}");
    }

    private static string Resource(string name)
    {
        using Stream stream = typeof(HtmlScript).Assembly.GetManifestResourceStream("script/" + name)
            ?? throw new InvalidOperationException($"The resource script/{name} is missing.");
        using StreamReader reader = new(stream);
        return reader.ReadToEnd().ReplaceLineEndings("\n").TrimEnd('\n');
    }
}
