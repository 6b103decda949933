using LatencyTuner.Core.Reporting;
using LatencyTuner.Core.Reporting.Model;
using Xunit;

namespace LatencyTuner.Tests.Reporting;

/// <summary>Long arrays are written in pieces, by two threads: the text is that of one.</summary>
public sealed class LongAnalyses
{
    private static readonly AnalysisReport Sample = SampleReports.All.Values.OfType<AnalysisReport>().First(r => r.Connections.Count > 0 && r.Transactions.Count > 0);

    private static AnalysisReport Long(int connections, int transactions) => Sample with
    {
        Connections = [.. Enumerable.Range(0, connections).Select(i => Sample.Connections[i % Sample.Connections.Count] with { Id = $"connection {i}" })],
        Transactions = [.. Enumerable.Range(0, transactions).Select(i => Sample.Transactions[i % Sample.Transactions.Count] with { Connection = $"connection {i}" })],
    };

    [Theory]
    [InlineData(0, 0)]
    [InlineData(1, 1)]
    [InlineData(16, 128)]
    [InlineData(129, 1025)]
    [InlineData(144, 1152)]
    [InlineData(145, 1153)]
    [InlineData(2000, 20_000)]
    public void Write_GivesTheSameText(int connections, int transactions)
    {
        AnalysisReport report = Long(connections, transactions);
        using StringWriter writer = new();

        ReportJson.Write(report, writer);

        Assert.Equal(ReportJson.Serialize(report), writer.ToString());
    }

    [Theory]
    [InlineData(0)]
    [InlineData(20)]
    [InlineData(1999)]
    public void Write_FigureThatIsNone_Fails(int at)
    {
        AnalysisReport report = Long(2000, 20_000);
        report = report with { Connections = [.. report.Connections.Select((c, i) => i == at ? c with { DurationMs = double.NaN } : c)] };
        using StringWriter writer = new();

        Assert.Throws<ArgumentException>(() => ReportJson.Write(report, writer));
    }

    [Fact]
    public void Write_PlaceThatFails_Ends()
    {
        using StreamWriter full = new(new FullDisk());

        Assert.Throws<IOException>(() => ReportJson.Write(Long(2000, 20_000), full));
    }

    private sealed class FullDisk : MemoryStream
    {
        public override void Write(ReadOnlySpan<byte> buffer) => throw new IOException("full");

        public override void Write(byte[] buffer, int offset, int count) => throw new IOException("full");

        public override void Flush()
        {
            // Nothing was written.
        }
    }
}
