using LatencyTuner.Core;
using LatencyTuner.Core.Analysis;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Reporting.Sockets;
using LatencyTuner.Tests.Reporting;
using Xunit;

namespace LatencyTuner.Tests.Analysis.Sockets;

/// <summary>What sockets are judged to be: what has it, what almost has it, what looks like it and is something else.</summary>
public sealed class SocketFindings
{
    private static readonly HostSocket Exposed = SampleReports.RequestReply with { NoDelay = false };

    private static SocketsReport Judge(IReadOnlyList<HostSocket> sockets, Severity? failOn = null, IReadOnlyList<Finding>? captured = null) =>
        SocketsReportBuilder.From(new SocketSnapshot { Sockets = sockets }, captured ?? [], SeverityLimits.Standard, new Gate { FailOn = failOn });

    [Fact]
    public void RequestsAndRepliesWithNagleOn_AreOneExposureForEachProcess_AndFailNoGate()
    {
        SocketsReport report = Judge(
            [Exposed, Exposed with { Remote = new("10.0.0.22", 50_123) }, Exposed with { Pid = 9, Process = "other" }], Severity.Info);

        Assert.Equal(2, report.Findings.Count);
        Finding finding = Assert.Single(report.Findings, f => f.Process == "nginx (812)");
        Assert.Equal(
            ("LT101", Severity.Info, Confidence.Possible, 2L, "connection"),
            (finding.Id, finding.Severity, finding.Confidence, finding.Count, finding.CountOf));
        Assert.Contains("exposure", Assert.Single(finding.Against), StringComparison.Ordinal);
        Assert.Equal((ExitCode.Done, VerdictKind.Done), (report.Judgement.ExitCode, report.Judgement.Kind));
        Assert.Empty(report.Failing);
    }

    [Fact]
    public void NagleOff_OrBulk_OrOneWay_IsNoExposure()
    {
        Assert.Empty(Judge([SampleReports.RequestReply]).Findings);
        Assert.Empty(Judge([Exposed with { BytesSent = 90_000_000, DataSegmentsOut = 62_500 }]).Findings);
        Assert.Empty(Judge([Exposed with { BytesReceived = 0, DataSegmentsIn = 0 }]).Findings);
        Assert.Empty(Judge([Exposed with { State = SocketState.Listen }]).Findings);
        Assert.Empty(Judge([Exposed with { NoDelay = null }]).Findings);
    }

    [Fact]
    public void NagleOnWithoutCountsOfSegments_IsAnExposureThatSaysSo()
    {
        Finding finding = Assert.Single(Judge([Exposed with { DataSegmentsOut = null, DataSegmentsIn = null, OptionsFrom = "afd" }]).Findings);

        Assert.Contains("data both ways", finding.For[0], StringComparison.Ordinal);
        Assert.Contains("[afd]", finding.For[0], StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(40, 20_400)]
    [InlineData(100, 51_000)]
    [InlineData(200, 98_000)]
    public void PiecesThatWaitForATimer_AreAWarning(double timerMs, long rttUs)
    {
        SocketsReport report = Judge([SampleReports.Held with { RttUs = rttUs, BusyMs = (920 * (timerMs + 1)) + 1_840 }], Severity.Warning);

        Finding finding = Assert.Single(report.Findings);
        Assert.Equal(("LT101", Severity.Warning, Confidence.Possible, 920L), (finding.Id, finding.Severity, finding.Confidence, finding.Count));
        Assert.InRange(finding.CostMs!.Value / finding.Count, timerMs, timerMs + 3);
        Assert.Contains(finding.For, f => f.Contains($"{timerMs:0} ms", StringComparison.Ordinal));
        Assert.Contains(finding.Against, a => a.Contains("--with-capture", StringComparison.Ordinal));
        Assert.Equal((ExitCode.Finding, VerdictKind.Fail), (report.Judgement.ExitCode, report.Judgement.Kind));
    }

    /// <summary>As measured: a client whose server takes 100 ms sees its requests acknowledged by a timer, and waits for nothing.</summary>
    [Fact]
    public void OneWriteForEachMessage_WithLateAcks_StaysAnExposure()
    {
        Finding finding = Assert.Single(
            Judge([SampleReports.Held with { DataSegmentsOut = 920, DataSegmentsIn = 920, RttUs = 39_800, BusyMs = 37_000 }]).Findings);

        Assert.Equal((Severity.Info, (double?)null), (finding.Severity, finding.CostMs));
    }

    [Fact]
    public void PiecesOverALongPath_StayAnExposure()
    {
        // Each piece waits for the round trip alone: 35 ms there and back.
        Finding finding = Assert.Single(Judge([SampleReports.Held with { MinRttUs = 35_000, RttUs = 35_400, BusyMs = 920 * 71 }]).Findings);

        Assert.Null(finding.CostMs);
    }

    [Fact]
    public void Capture_GivesItsCost_AndTheSocketSaysForOrAgainst()
    {
        Finding hold = new()
        {
            Cause = Cause.NagleHold,
            Side = Side.Server,
            Host = "10.0.0.5",
            Confidence = Confidence.Likely,
            Severity = Severity.Error,
            Count = 40,
            CostMs = 400,
            CostShare = 0.4,
            Connections = ["10.0.0.21:50122 > 10.0.0.5:443"],
            For = ["seen"],
        };

        Finding finding = Assert.Single(Judge([Exposed], captured: [hold]).Findings);
        Assert.Equal(("LT102", Severity.Error, "nginx (812)"), (finding.Id, finding.Severity, finding.Process));
        Assert.Contains("TCP_NODELAY is off", finding.For[^1], StringComparison.Ordinal);
        Assert.Empty(finding.Against);

        // The option is on now: the contradiction is kept.
        finding = Assert.Single(Judge([SampleReports.RequestReply], captured: [hold]).Findings);
        Assert.Contains("TCP_NODELAY is on now", Assert.Single(finding.Against), StringComparison.Ordinal);

        // What the other end held back is not this process's.
        Assert.Null(Assert.Single(Judge([Exposed], captured: [hold with { Host = "10.0.0.21" }]).Findings).CostMs);
    }

    [Fact]
    public void FixedSendBuffer_ThatLimitsOrIsSmallerThanThePath_IsPossible()
    {
        Finding limited = Assert.Single(Judge([SampleReports.Bulk]).Findings);
        Assert.Equal(("LT114", Severity.Warning, Confidence.Possible, 61_000.0), (limited.Id, limited.Severity, limited.Confidence, limited.CostMs));
        Assert.Contains(limited.For, f => f.Contains("64 KiB (32 KiB of data)", StringComparison.Ordinal));

        // Another connection to the same host shows what the path takes.
        HostSocket quick = SampleReports.Bulk with { SendBufferFixed = false, DeliveryBytesPerSecond = 20_000_000, Local = new("10.0.0.5", 41_823) };
        Finding small = Assert.Single(Judge([SampleReports.Bulk with { SndbufLimitedMs = 0 }, quick]).Findings);
        Assert.Contains(small.For, f => f.Contains("within a round trip", StringComparison.Ordinal));
        Assert.Empty(Judge([SampleReports.Bulk with { SndbufLimitedMs = 0, SendBufferBytes = 4 << 20 }, quick]).Findings);
        Assert.Empty(Judge([SampleReports.Bulk with { SendBufferFixed = false }]).Findings);
    }

    [Fact]
    public void FixedReceiveBuffer_ThatTheReaderFills_IsPossible()
    {
        HostSocket receiving = SampleReports.Bulk with
        {
            SendBufferFixed = false,
            ReceiveBufferFixed = true,
            ReceiveBufferBytes = 65_536,
            ReceivedPerRttBytes = 30_000,
        };

        Finding finding = Assert.Single(Judge([receiving]).Findings);
        Assert.Equal(("LT111", Severity.Info, Confidence.Possible), (finding.Id, finding.Severity, finding.Confidence));
        Assert.Empty(Judge([receiving with { ReceivedPerRttBytes = 9_000 }]).Findings);
        Assert.Empty(Judge([receiving with { MinRttUs = 40 }]).Findings);
    }

    [Fact]
    public void NothingReadable_CannotTell()
    {
        SocketsReport report = Judge([SampleReports.RequestReply with { NoDelay = null }]);

        Assert.Equal((ExitCode.CannotTell, VerdictKind.CannotTell), (report.Judgement.ExitCode, report.Judgement.Kind));
        Assert.Equal(ExitCode.CannotTell, Judge([]).Judgement.ExitCode);
        Assert.Equal(ExitCode.Done, Judge([SampleReports.Listening]).Judgement.ExitCode);
    }
}
