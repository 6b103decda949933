using LatencyTuner.Core;
using LatencyTuner.Core.Analysis.Recordings;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Recordings.Captures;
using LatencyTuner.Core.Recordings.Captures.Rules;
using LatencyTuner.Core.Reporting.Analysis;
using LatencyTuner.Tests.Capture;
using Xunit;

namespace LatencyTuner.Tests.Reporting.Analysis;

/// <summary>What the first sentence of an analysis says, and what its tables must not pretend to know.</summary>
public sealed class AnalysisVerdicts
{
    [Fact]
    public void OneConnection_IsSingular()
    {
        AnalysisReport report = Of(Begun().FromClient(10, 1000, 100).FromServer(13, 1100, 200).FromClient(13.1, 1100, 0, ack: 5200));

        Assert.StartsWith("No stall worth a warning on 1 connection (", report.Text, StringComparison.Ordinal);
    }

    [Fact]
    public void LastRequestNeverAnswered_IsSaidFirst_AndShortRoundTripsAreNotMostOfTheTime()
    {
        SegmentSequence sequence = Begun(20);
        uint request = 1000;
        uint answer = 5000;
        for (int i = 0; i < 5; i++, request += 100, answer += 200)
        {
            sequence.FromClient(50 + (i * 30), request, 100, ack: answer).FromServer(71 + (i * 30), request + 100, 200, answer);
        }

        sequence.FromClient(300, request, 100, ack: answer).FromServer(340, request + 100, 0, answer).FromClient(30_300, request + 100, 0, ack: answer);

        AnalysisReport report = Of(sequence);

        Assert.EndsWith("on 1 connection the last request was never answered.", report.Text, StringComparison.Ordinal);
        Assert.DoesNotContain("network round trip", report.Text, StringComparison.Ordinal);
        Assert.Contains(report.Notes, n => n.Contains("30.0 s, 10.0.0.1:40000", StringComparison.Ordinal));
    }

    [Fact]
    public void SixPackets_AndNoTransaction_CannotTell()
    {
        AnalysisReport report = Of(Begun().FromClient(10, 1000, 100).FromServer(12.1, 1100).FromClient(40, 1100, 0, ack: 5000));

        Assert.Equal(("CANNOT TELL", ExitCode.CannotTell), (report.Judgement!.Word, report.Judgement.ExitCode));
        Assert.Contains("no connection has a request with its response", report.Text, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(9, "CANNOT TELL")]
    [InlineData(10, "NO STALL")]
    public void ATransferWithoutAnswers_IsJudged_FromAnInitialWindowOn(int segments, string word)
    {
        SegmentSequence sequence = Begun();
        for (uint i = 0; i < segments; i++)
        {
            sequence.FromClient(10 + (i * 40), 1000 + (i * 700), 700).FromServer(12.1 + (i * 40), 1700 + (i * 700));
        }

        Assert.Equal(word, Of(sequence).Judgement!.Word);
    }

    [Fact]
    public void AStallWithoutATransaction_IsAStall()
    {
        AnalysisReport report =
            Of(new SegmentSequence().Syn(0).Syn(1000).SynAck(1002).FromClient(1002.1, 1000, 0).FromClient(1003, 1000, 90).FromServer(1005.2, 1090));

        Assert.Equal("LOSS, TIMEOUT", report.Judgement!.Word);
    }

    [Fact]
    public void NobodyAnswersTheSyn_IsSaid() => Assert.Contains(
        Of(new SegmentSequence().Syn(0).Syn(1000).Syn(3000)).Notes, n => n.Contains("The longest attempt sent 3 SYNs in 3.00 s", StringComparison.Ordinal));

    [Fact]
    public void OverlappingRequests_HaveNoShares_AndNoRoundTripToCompareWith()
    {
        SegmentSequence sequence = Begun(20);
        for (uint i = 0; i < 60; i++)
        {
            // A request every 3 ms, each answered 30 ms later, whatever came meanwhile.
            sequence.FromClient(50 + (i * 3), 1000 + (i * 100), 100, ack: 5000 + (200 * (i < 10 ? 0 : i - 10)));
            if (i >= 10)
            {
                sequence.FromServer(51 + (i * 3), 1000 + ((i - 5) * 100), 200, 5000 + (200 * (i - 10)));
            }
        }

        AnalysisReport report = Of(sequence);

        Assert.True(Assert.Single(report.Connections).NotSeparable);
        Assert.NotEmpty(report.Transactions);
        Assert.All(report.Transactions, t => Assert.Equal((null, null, null, null), (t.ServerMs, t.ServerHighMs, t.ClientMs, t.NetworkMs)));
        Assert.DoesNotContain(report.Findings, f => f.Id is "LT131" or "LT141" or "LT142");
    }

    [Fact]
    public void ConnectionsThatAreNotKept_AreCountedAllTheSame()
    {
        CaptureEvidence kept = Begun().FromClient(10, 1000, 100).FromServer(13, 1100, 200).Evidence();
        CaptureEvidence evidence = new() { Connections = kept.Connections, Hosts = kept.Hosts, Limits = kept.Limits, NotKept = 99, NotKeptTransactions = 198 };

        AnalysisReport report = AnalysisReportBuilder.From(new RecordingResult([], [evidence], [], [], cancelled: false), new AnalysisOptions());

        Assert.Equal((100, 199), (report.ConnectionCount, report.TransactionCount));
        Assert.StartsWith("No stall worth a warning on 100 connections (", report.Text, StringComparison.Ordinal);
    }

    [Fact]
    public void Example_IsOfTheFindingThatTheVerdictNames()
    {
        CaptureEvidence costly = Deadlocks(8, 200).Evidence();
        ConnectionFacts frequent = Assert.Single(Deadlocks(12, 50).Evidence().Connections);
        frequent.ServerPort = 81;
        CaptureEvidence evidence = new() { Connections = [.. costly.Connections, frequent], Hosts = costly.Hosts, Limits = costly.Limits };

        AnalysisReport report =
            AnalysisReportBuilder.From(new RecordingResult([], [evidence], CaptureFindings.Of(evidence), [], cancelled: false), new AnalysisOptions());

        Assert.Equal("A typical hold", report.Example!.Title);
        Assert.EndsWith(":80", report.Example.Connection, StringComparison.Ordinal);
    }

    [Fact]
    public void PossibleStall_IsNotDenied()
    {
        SegmentSequence sequence = Begun(2);
        uint request = 1000;
        uint answer = 5000;
        double at = 100;
        for (int i = 0; i < 12; i++, request += 150, answer += 200)
        {
            // Late ACKs, and two of the second halves right behind them.
            sequence.FromClient(at, request, 100, ack: answer).FromServer(at += 202, request + 100, 0, answer);
            sequence.FromClient(at += i % 6 == 0 ? 0.03 : 4 + i, request + 100, 50, ack: answer).FromServer(at += 2.1, request + 150, 200, answer);
            at += 1;
        }

        AnalysisReport report = Of(sequence);

        Assert.Contains(report.Findings, f => f is { Confidence: Confidence.Possible, Severity: >= Severity.Warning });
        Assert.StartsWith("No stall is likely on 1 connection", report.Text, StringComparison.Ordinal);
        Assert.Contains("A possible cause: ", report.Text, StringComparison.Ordinal);
    }

    private static SegmentSequence Begun(double roundTripMs = 2) => new SegmentSequence().Syn(0).SynAck(roundTripMs).FromClient(roundTripMs + 0.05, 1000, 0);

    private static SegmentSequence Deadlocks(int count, double timerMs)
    {
        SegmentSequence sequence = Begun();
        double at = 100;
        for (uint i = 0; i < count; i++)
        {
            uint request = 1000 + (i * 150);
            uint answer = 5000 + (i * 200);
            sequence.FromClient(at, request, 100, ack: answer).FromServer(at += timerMs + 2, request + 100, 0, answer);
            sequence.FromClient(at += 0.03, request + 100, 50, ack: answer).FromServer(at += 2.1, request + 150, 200, answer);
            at += 1;
        }

        return sequence;
    }

    private static AnalysisReport Of(SegmentSequence sequence)
    {
        CaptureEvidence evidence = sequence.Evidence();
        return AnalysisReportBuilder.From(new RecordingResult([], [evidence], CaptureFindings.Of(evidence), [], cancelled: false), new AnalysisOptions());
    }
}
