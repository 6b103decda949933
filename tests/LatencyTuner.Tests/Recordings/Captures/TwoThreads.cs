using LatencyTuner.Core.Analysis.Recordings;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Recordings;
using LatencyTuner.Core.Recordings.Captures;
using LatencyTuner.Core.Recordings.Captures.Rules;
using LatencyTuner.Core.Reporting;
using LatencyTuner.Core.Reporting.Analysis;
using LatencyTuner.Tests.Capture;
using Xunit;

namespace LatencyTuner.Tests.Recordings.Captures;

/// <summary>What two threads find out together is what one finds out alone, every time.</summary>
public sealed class TwoThreads
{
    [Theory]
    [InlineData("mixed_two_causes.client.pcap")]
    [InlineData("bufferbloat.server.pcap")]
    [InlineData("nagle_delack_t200.client.pcap")]
    public void Findings_AreThoseOfTheRulesOneAfterTheOther(string name)
    {
        CaptureEvidence alone = TruthScorer.Analyse(Samples.Truth(name));
        (Finding Finding, SideOfConnection[] Sides)[] held = [.. CaptureNagleRule.Evaluate(alone)];
        IEnumerable<Finding>[] rules =
        [
            held.Select(h => h.Finding), CaptureDelayedAckRule.Evaluate(alone, held.SelectMany(h => h.Sides).ToHashSet()),
            CaptureWindowRule.Evaluate(alone), CongestionWindowRule.Evaluate(alone),
            CaptureSendBufferRule.Evaluate(alone), CaptureSmallSegmentsRule.Evaluate(alone), CaptureLossRule.Evaluate(alone), ReorderingRule.Evaluate(alone),
            CaptureRttRule.Evaluate(alone), CaptureBufferbloatRule.Evaluate(alone), ThinkRule.Evaluate(alone), CaptureEvidenceRule.Evaluate(alone),
        ];
        string[] expected =
            [.. rules.SelectMany(f => f).OrderByDescending(f => f.Severity).ThenByDescending(f => f.CostMs ?? 0).ThenBy(f => f.Id, StringComparer.Ordinal)
                .ThenBy(f => f.Host, StringComparer.Ordinal).Select(Text)];

        Assert.NotEmpty(expected);
        Assert.Equal(expected, CaptureFindings.Of(TruthScorer.Analyse(Samples.Truth(name))).Select(Text));
        Assert.Equal(expected, Run(name).Findings.Select(Text));
    }

    [Fact]
    public void Report_IsTheSameEveryTime()
    {
        const string Name = "mixed_two_causes.client.pcap";
        string[] documents = [.. Enumerable.Range(0, 8).Select(_ => ReportJson.Serialize(AnalysisReportBuilder.From(Run(Name), new AnalysisOptions())))];

        Assert.Single(documents.Distinct());
    }

    [Fact]
    public void Run_BothResults()
    {
        (string here, string beside) = ParallelPair.Run(() => "here", () => "beside");

        Assert.Equal(("here", "beside"), (here, beside));
    }

    [Fact]
    public void Run_BothThrow_TheFailureOfThisThread_AfterBothHaveEnded()
    {
        using ManualResetEventSlim thrown = new();
        bool ended = false;

        InvalidOperationException failure = Assert.Throws<InvalidOperationException>(() => ParallelPair.Run<string, string>(
            () =>
            {
                thrown.Set();
                throw new InvalidOperationException("here");
            },
            () =>
            {
                thrown.Wait(TestContext.Current.CancellationToken);
                ended = true;
                throw new InvalidOperationException("beside");
            }));

        Assert.Equal("here", failure.Message);
        Assert.True(ended);
    }

    [Fact]
    public void Run_BesideThrows_ItReachesTheCallerAsItWas()
    {
        InvalidOperationException failure =
            Assert.Throws<InvalidOperationException>(() => ParallelPair.Run<string, string>(() => "here", () => throw new InvalidOperationException("beside")));

        Assert.Equal("beside", failure.Message);
    }

    private static RecordingResult Run(string name) =>
        RecordingAnalysis.Run(
            [new RecordingInput(name, () => File.OpenRead(Samples.Truth(name)))], RecordingFilter.All, SeverityLimits.Standard, progress: null,
            CancellationToken.None);

    private static string Text(Finding f) =>
        string.Join(
            '|', f.Id, f.Side, f.Host, f.Confidence, f.Severity, f.Count, f.CostMs, string.Join(',', f.Connections), string.Join(',', f.For),
            string.Join(',', f.Against));
}
