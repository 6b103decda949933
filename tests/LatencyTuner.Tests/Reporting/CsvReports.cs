using System.Globalization;
using System.Text;
using LatencyTuner.Core.Reporting;
using LatencyTuner.Core.Reporting.Writers;
using Xunit;

namespace LatencyTuner.Tests.Reporting;

public sealed class CsvReports
{
    public static TheoryData<string> Names => new(SampleReports.All.Keys);

    [Theory]
    [MemberData(nameof(Names))]
    public void Write_IsARectangle(string name)
    {
        List<List<string>> rows = Parse(DocumentKinds.CsvOf(SampleReports.All[name]));

        Assert.True(rows.Count > 1);
        Assert.Equal(rows[0].Count, rows[0].Distinct().Count());
        Assert.All(rows, r => Assert.Equal(rows[0].Count, r.Count));
    }

    [Fact]
    public void Write_HasARowPerDistribution()
    {
        Assert.Equal(["responseTime", "serviceTime", "sendLateness"], Column(DocumentKinds.CsvOf(SampleReports.OpenLoop), "distribution"));
        Assert.Equal(["loopback", "loopback", "app01:7117", "app01:7117"], Column(DocumentKinds.CsvOf(SampleReports.Fail), "target"));
        Assert.Equal(["44000", "44310", "1400", "1400"], Column(DocumentKinds.CsvOf(SampleReports.Comparison), "aUs"));
        Assert.Equal(["1125", "44000", "1159", "2212", "1161", "44010", "1115", ""], Column(DocumentKinds.CsvOf(SampleReports.Experiment), "p50Us"));
        Assert.Equal(10, Column(DocumentKinds.CsvOf(SampleReports.Sweep), "rate").Count);
    }

    [Fact]
    public void Write_IgnoresTheCulture()
    {
        CultureInfo before = CultureInfo.CurrentCulture;
        CultureInfo culture = (CultureInfo)CultureInfo.InvariantCulture.Clone();
        culture.NumberFormat.NumberDecimalSeparator = ",";
        culture.NumberFormat.NumberGroupSeparator = ".";
        try
        {
            string expected = DocumentKinds.CsvOf(SampleReports.OpenLoop) + TextReportWriter.Write(Judged.PageOf(SampleReports.OpenLoop))
                + HtmlReportWriter.Write(Judged.PageOf(SampleReports.Sweep)) + Judged.JUnitOf(SampleReports.Fail);
            CultureInfo.CurrentCulture = culture;
            Assert.Equal("1,5", 1.5.ToString(CultureInfo.CurrentCulture));

            string actual = DocumentKinds.CsvOf(SampleReports.OpenLoop) + TextReportWriter.Write(Judged.PageOf(SampleReports.OpenLoop))
                + HtmlReportWriter.Write(Judged.PageOf(SampleReports.Sweep)) + Judged.JUnitOf(SampleReports.Fail);

            Assert.Equal(expected, actual);
        }
        finally
        {
            CultureInfo.CurrentCulture = before;
        }
    }

    [Theory]
    [InlineData("=HYPERLINK(\"http://x\")", "'=HYPERLINK(\"http://x\")")]
    [InlineData("+1", "'+1")]
    [InlineData("-2+3", "'-2+3")]
    [InlineData("@SUM(A1)", "'@SUM(A1)")]
    [InlineData(" =1", "' =1")]
    [InlineData("\t=1", "'\t=1")]
    [InlineData("a,\"b\"\r\nc", "a,\"b\"\r\nc")]
    [InlineData("app-01", "app-01")]
    public void Write_GuardsTextAgainstFormulas(string name, string expected) =>
        Assert.Equal(expected, Column(DocumentKinds.CsvOf(SampleReports.Healthy with { Target = new() { Name = name } }), "target")[0]);

    [Fact]
    public void Write_LeavesNegativeFiguresAlone() => Assert.Equal("-42875", Column(DocumentKinds.CsvOf(SampleReports.Comparison), "deltaUs")[0]);

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
