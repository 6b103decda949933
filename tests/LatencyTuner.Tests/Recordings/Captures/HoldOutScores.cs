using LatencyTuner.Core.Recordings.Captures;
using LatencyTuner.Core.Recordings.Captures.Rules;
using Xunit;

namespace LatencyTuner.Tests.Recordings.Captures;

/// <summary>The same scores for captures that nobody wrote a rule for: those that <c>tests/lab/holdout</c> makes and names in LATENCYTUNER_HOLDOUT.</summary>
public sealed class HoldOutScores(ITestOutputHelper output)
{
    private const double Floor = 0.98;
    private const double CostFloor = 0.95;

    [Fact]
    public void PrecisionAndRecall_AreAboveTheFloor()
    {
        TruthTable table = TruthTable.Of(Folder());
        output.WriteLine($"{table}\n{table.ByKind()}\n{string.Join('\n', table.Complaints)}");
        output.WriteLine($"costs inside their interval: {table.CostsInside} of {table.Costs}");
        Assert.True(table.Precision >= Floor && table.Recall >= Floor, $"precision {table.Precision:0.000}, recall {table.Recall:0.000}");
        Assert.True(table.CostsInside >= CostFloor * table.Costs, $"{table.CostsInside} of {table.Costs} costs");
    }

    [Fact]
    public void Innocents_AreNotAccused()
    {
        string folder = Folder();
        List<string> wrong = [];
        int connections = 0;
        foreach (TruthLabel label in TruthLabel.Read(folder).Where(l => l.Innocent))
        {
            foreach ((string vantage, string file) in label.Captures)
            {
                CaptureEvidence evidence = TruthScorer.Analyse(Path.Combine(folder, file));
                connections += evidence.Connections.Count;
                wrong.AddRange(
                    TruthScorer.FalseAlarms(CaptureFindings.Of(evidence)).Select(
                        f => $"{label.Id}.{vantage}: {f.Id} {f.Severity} {f.Confidence} {f.Side} x{f.Count}, {f.CostMs:0.0} ms, {string.Join(" ", f.Connections)}"));
            }
        }

        output.WriteLine($"innocent connections: {connections}, findings that accuse one: {wrong.Count}\n{string.Join('\n', wrong)}");
        Assert.Empty(wrong);
    }

    [Theory]
    [InlineData("client")]
    [InlineData("server")]
    public void ServerTimes_AreRight_ForNineteenOfTwentyTransactions(string vantage)
    {
        string folder = Folder();
        int right = 0;
        int all = 0;
        int outside = 0;
        foreach (TruthLabel label in TruthLabel.Read(folder).Where(l => !l.Innocent))
        {
            CaptureEvidence evidence = TruthScorer.Analyse(Path.Combine(folder, label.Captures[vantage]));
            List<(double Truth, double Estimate, double Low, double High)> times =
                TruthScorer.ServerTimes(Path.Combine(folder, label.Truth!), evidence).ToList();
            List<(double Truth, double Estimate, double Low, double High)> off = times
                .Where(t => Math.Abs(t.Truth - t.Estimate) > Math.Max(1, 0.05 * t.Truth)).ToList();
            all += times.Count;
            right += times.Count - off.Count;
            outside += times.Count(t => t.Estimate < t.Low || t.Estimate > t.High);
            if (off.Count > 0.05 * times.Count)
            {
                output.WriteLine(
                    $"{label.Id}.{vantage}: {off.Count} of {times.Count} off, such as "
                    + $"{string.Join(", ", off.Take(3).Select(t => $"{t.Truth:0.00} taken for {t.Estimate:0.00} [{t.Low:0.00}, {t.High:0.00}]"))} ms");
            }
        }

        output.WriteLine($"server times, {vantage}: {right} of {all} right, {(double)right / Math.Max(1, all):0.000}");
        Assert.Equal(0, outside);
        Assert.True(right >= 0.95 * all, $"{right} of {all}");
    }

    private static string Folder()
    {
        string? folder = Environment.GetEnvironmentVariable("LATENCYTUNER_HOLDOUT");
        Assert.SkipUnless(
            folder is not null && File.Exists(Path.Combine(folder, "labels.json")), "No hold-out captures: tests/lab/holdout makes them and runs this.");
        return folder;
    }
}
