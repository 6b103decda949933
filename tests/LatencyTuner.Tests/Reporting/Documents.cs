using System.Text;
using LatencyTuner.Core.Analysis;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Reporting;
using LatencyTuner.Core.Reporting.Writers;
using NJsonSchema;
using Xunit;

namespace LatencyTuner.Tests.Reporting;

internal static class Documents
{
    /// <summary>The document keeps its published schema and comes back from its text as it went.</summary>
    internal static async Task AssertValid(Document report, string kind)
    {
        // NJsonSchema knows "$defs" by its name of earlier drafts only.
        JsonSchema schema = await JsonSchema.FromJsonAsync(
            PublishedDocuments.SchemaOf(kind).Replace("\"$defs\"", "\"definitions\"", StringComparison.Ordinal)
                .Replace("#/$defs/", "#/definitions/", StringComparison.Ordinal));
        string text = ReportJson.SerializeAny(report);
        Assert.Empty(schema.Validate(text).Select(e => e.ToString()));
        Document again = ReportJson.ReadAny(Encoding.UTF8.GetBytes(text), kind);
        // The exit code is that of the run that prints it; reading sets no gate.
        Assert.Equal(ReportJson.SerializeAny(PublishedDocuments.Judge(report, Gate.Open)), ReportJson.SerializeAny(again));
        Assert.NotEmpty(TextReportWriter.Write(Judged.PageOf(report)));
    }
}
