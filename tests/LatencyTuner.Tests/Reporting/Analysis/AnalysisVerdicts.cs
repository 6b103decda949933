using LatencyTuner.Core;
using LatencyTuner.Core.Analysis;
using LatencyTuner.Core.Analysis.Recordings;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Recordings;
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

    [Theory]
    [InlineData(Severity.Info)]
    [InlineData(Severity.Warning)]
    [InlineData(Severity.Error)]
    [InlineData(null)]
    public void Headline_Findings_AndExitCode_AgreeOnEverySample(Severity? failOn)
    {
        string folder = Path.GetDirectoryName(Samples.Truth("labels.json"))!;
        string[] files = [.. Directory.GetFiles(Path.GetDirectoryName(Samples.Pcap("REFERENCE.md"))!, "d*.pcap*"), .. Directory.GetFiles(folder, "*.pcap")];
        Gate gate = new() { FailOn = failOn };
        int led = 0;
        foreach (string file in files)
        {
            RecordingResult result = RecordingAnalysis.Run(
                [new RecordingInput(file, () => File.OpenRead(file))], RecordingFilter.All, SeverityLimits.Standard, null, CancellationToken.None);
            AnalysisReport report = AnalysisReportBuilder.From(result, new AnalysisOptions(), gate);
            led += Agrees(report.Judgement!, report.Findings, gate, file) ? 1 : 0;
            Assert.True(report.Connections.Sum(c => c.StallMs) < 1 || report.Judgement!.Word != "NO STALL", file);
        }

        Assert.True(led > 20, $"{led} of {files.Length} name a cause");
    }

    [Theory]
    [InlineData(Severity.Info, null)]
    [InlineData(Severity.Info, Severity.Info)]
    [InlineData(Severity.Warning, null)]
    [InlineData(Severity.Warning, Severity.Error)]
    [InlineData(Severity.Error, Severity.Error)]
    public void Headline_OfATrace_NamesWhatFails(Severity severity, Severity? failOn)
    {
        foreach (Confidence confidence in Enum.GetValues<Confidence>())
        {
            Finding finding = new()
            {
                Cause = Cause.SendBuffer,
                Side = Side.Client,
                Process = "gateway.exe (4120)",
                Confidence = confidence,
                Severity = severity,
                Count = 9,
                CostMs = 900,
                CostShare = 0.6,
                Connections = [],
                For = ["seen"],
                Against = [],
            };
            Gate gate = new() { FailOn = failOn };
            Verdict verdict = RecordingOutcome.Judge("No stall worth a warning.", [finding], 900, trafficOnly: true, gate);

            bool names = Agrees(verdict, [finding], gate, $"{severity} {confidence}");
            Assert.Equal(finding.Severity >= Severity.Warning || finding.Severity >= failOn, names);
        }
    }

    /// <summary>Checks that the verdict names what fails, or what deserves a warning.</summary>
    /// <returns>True when it names a cause.</returns>
    private static bool Agrees(Verdict verdict, IReadOnlyList<Finding> findings, Gate gate, string of)
    {
        string[] words = [.. gate.Failing(findings).Select(f => FindingWords.Of(f.Cause).ToUpperInvariant())];
        bool cannotTell = findings.Any(f => f is { Cause: Cause.EvidenceIncomplete, Severity: Severity.Error });
        Assert.True(words.Length > 0 == (verdict.ExitCode == ExitCode.Finding), of);
        Assert.True(words.Length == 0 || words.Contains(verdict.Word), $"{of}: {verdict.Word} {string.Join(", ", words)}");
        bool worth = findings.Any(f => f.Severity >= Severity.Warning && f.Cause != Cause.EvidenceIncomplete);
        bool quiet = verdict.Word is "NO STALL" or "NO COSTLY STALL" or "TRAFFIC ONLY" or "CANNOT TELL";
        Assert.True(cannotTell || quiet == (!worth && words.Length == 0), $"{of}: {verdict.Word}");
        Assert.True(verdict.Tone != Tone.Good || !worth, of);
        return !quiet;
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
        Assert.Equal(("NAGLE + DELAYED ACK", Tone.Unsure), (report.Judgement!.Word, report.Judgement.Tone));
        Assert.StartsWith("At the client 10.0.0.1: ", report.Text, StringComparison.Ordinal);
        Assert.Contains("This cause is only possible.", report.Text, StringComparison.Ordinal);
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
