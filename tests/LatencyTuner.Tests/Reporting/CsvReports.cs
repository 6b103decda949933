using System.Text;
using System.Text.RegularExpressions;
using LatencyTuner.Core.Reporting;
using LatencyTuner.Tests.Commands;
using Xunit;

namespace LatencyTuner.Tests.Reporting;

public sealed class CsvReports
{
    public static TheoryData<string> Names => new(SampleReports.All.Keys);

    [Theory]
    [MemberData(nameof(Names))]
    public void Write_IsARectangle(string name)
    {
        List<List<string>> rows = Parse(PublishedDocuments.CsvOf(SampleReports.All[name]));

        // A report that has nothing to list has its heading.
        Assert.True(rows.Count > (name is "analyze-no-stall" or "sweep-nothing" or "history-empty" or "compare-snapshots-same" ? 0 : 1));
        Assert.Equal(rows[0].Count, rows[0].Distinct().Count());
        Assert.All(rows, r => Assert.Equal(rows[0].Count, r.Count));
    }

    [Fact]
    public void Write_HasARowPerDistribution()
    {
        Assert.Equal(["responseTime", "serviceTime", "sendLateness"], Column(PublishedDocuments.CsvOf(SampleReports.OpenLoop), "distribution"));
        Assert.Equal(["loopback", "loopback", "app01:7117", "app01:7117"], Column(PublishedDocuments.CsvOf(SampleReports.Fail), "target"));
        Assert.Equal(["44000", "44310", "1400", "1400"], Column(PublishedDocuments.CsvOf(SampleReports.Comparison), "aUs"));
        Assert.Equal(["1125", "44000", "1159", "2212", "1161", "44010", "1115", ""], Column(PublishedDocuments.CsvOf(SampleReports.Experiment), "p50Us"));
        Assert.Equal(10, Column(PublishedDocuments.CsvOf(SampleReports.Sweep), "rate").Count);
    }

    /// <summary>The program runs with the invariant culture alone, so that numbers in sentences and tables need none.</summary>
    [Theory]
    [InlineData("text")]
    [InlineData("csv")]
    [InlineData("html")]
    public void Program_IgnoresTheLocale(string format)
    {
        string[] call = ["analyze", Path.Combine(Repository.Root, "tests", "LatencyTuner.Tests", "Capture", "Data", "client.pcap"), "--format", format];

        string expected = Run(["env", "LC_ALL=C"], call);
        string actual = Run(["env", "LC_ALL=de_DE.UTF-8", "DOTNET_SYSTEM_GLOBALIZATION_INVARIANT=0"], call);

        Assert.NotEmpty(expected);
        Assert.Equal(WithoutTimes(expected), WithoutTimes(actual));
    }

    // A page says when it was made.
    private static string WithoutTimes(string text) => Regex.Replace(text, @"\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2} UTC", "TIME");

    private static string Run(string[] before, string[] call)
    {
        using CliProcess process = CliProcess.Start(before, call);
        process.WaitForExit();
        return process.Out;
    }

    [Theory]
    [InlineData("=HYPERLINK(\"http://x\")", "'=HYPERLINK(\"http://x\")")]
    [InlineData("+1", "'+1")]
    [InlineData("-2+3", "'-2+3")]
    [InlineData("@SUM(A1)", "'@SUM(A1)")]
    [InlineData(" =1", "' =1")]
    [InlineData("\t=1", "'\t=1")]
    [InlineData("a,\"b\"\r\nc", "a,\"b\"\r\nc")]
    [InlineData("a\u001b[2Jb\u0085\u0000", "a?[2Jb??")]
    [InlineData("app-01", "app-01")]
    public void Write_GuardsTextAgainstFormulas(string name, string expected) =>
        Assert.Equal(expected, Column(PublishedDocuments.CsvOf(SampleReports.Healthy with { Target = new() { Name = name } }), "target")[0]);

    [Fact]
    public void Write_LeavesNegativeFiguresAlone() => Assert.Equal("-42875", Column(PublishedDocuments.CsvOf(SampleReports.Comparison), "deltaUs")[0]);

    private static List<string> Column(string csv, string name)
    {
        List<List<string>> rows = Parse(csv);
        int index = rows[0].IndexOf(name);
        return [.. rows.Skip(1).Select(r => r[index])];
    }

    /// <summary>RFC 4180 read character by character, apart from the writer.</summary>
    private static List<List<string>> Parse(string csv)
    {
        List<List<string>> rows = new();
        List<string> row = new();
        StringBuilder field = new();
        bool quoted = false;
        for (int i = 0; i < csv.Length; i++)
        {
            char c = csv[i];
            if (quoted && c == '"' && i + 1 < csv.Length && csv[i + 1] == '"')
            {
                field.Append(csv[++i]);
            }
            else if (c == '"')
            {
                quoted = !quoted;
            }
            else if (!quoted && c == ',')
            {
                row.Add(field.ToString());
                field.Clear();
            }
            else if (!quoted && c == '\r')
            {
                Assert.Equal('\n', csv[++i]);
                row.Add(field.ToString());
                field.Clear();
                rows.Add(row);
                row = [];
            }
            else
            {
                field.Append(c);
            }
        }

        Assert.False(quoted);
        Assert.Empty(row);
        return rows;
    }
}
