using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Measurement.Experiments;
using LatencyTuner.Core.Reporting.Diagnosis;
using Xunit;

namespace LatencyTuner.Tests.Lab;

/// <summary>The verdict on paths whose truth is known because the lab made it.</summary>
[Collection(LabTests.Name)]
public sealed class DiagnosesInTheLab
{
    private static readonly ExperimentPlan Short = new()
    {
        Rounds = 3,
        CellTime = TimeSpan.FromMilliseconds(30),
        TickProbes = 0,
        Cells =
        [
            ExperimentCell.OneWrite, ExperimentCell.Split, ExperimentCell.SplitNoDelay,
            ExperimentCell.SplitReplies, ExperimentCell.SplitRepliesPeerNoDelay,
        ],
    };

    private static DiagnosisReport Diagnose(string preset, ExperimentPlan plan)
    {
        LabTests.Require();
        using LabResponder lab = new(preset);
        return lab.AtClient(() => DiagnosisReportBuilder.From(Experiment.Run(lab.Target, plan, LabResponder.Context, CancellationToken.None), null));
    }

    [Theory]
    [InlineData("receiver-10ms", 10)]
    [InlineData("receiver-40ms", 40)]
    [InlineData("receiver-50ms", 50)]
    [InlineData("receiver-100ms", 100)]
    [InlineData("receiver-200ms", 200)]
    public void ServerThatDelaysItsAcks_ItsTimerAndBothEndsNamed(string preset, double timerMs)
    {
        DiagnosisReport report = Diagnose(preset, Short);

        Assert.Equal(Cause.NagleDelayedAck, report.Diagnosis.Cause);
        Assert.Equal(Side.Client, report.Diagnosis.Side);
        Assert.Equal(Side.Server, report.Diagnosis.AckTimerSide);
        Assert.Equal(timerMs, report.Diagnosis.ClusterMs);
        Assert.Equal("fixed", report.Diagnosis.TimerModel);
        Assert.InRange(report.Diagnosis.CostUsPerRequest!.Value, timerMs * 900, timerMs * 1000 + 40_000);
        Assert.Equal(Cause.None, report.ReplyDiagnosis!.Cause);
        Assert.All(report.Findings, f => Assert.Equal(Severity.Info, f.Severity));
    }

    [Fact]
    public void ClientThatDelaysItsAcks_RepliesInTwoWritesPay()
    {
        DiagnosisReport report = Diagnose("client-receiver-200ms", Short);

        Assert.Equal(Cause.None, report.Diagnosis.Cause);
        Assert.Equal(Cause.NagleDelayedAck, report.ReplyDiagnosis!.Cause);
        Assert.Equal(Side.Server, report.ReplyDiagnosis.Side);
        Assert.Equal(Side.Client, report.ReplyDiagnosis.AckTimerSide);
        Assert.Equal(200, report.ReplyDiagnosis.ClusterMs);
        Assert.Equal("NAGLE + DELAYED ACK", report.Judgement.Word);
        Assert.StartsWith("A reply written in two sends", report.Judgement.Text, StringComparison.Ordinal);
        Assert.EndsWith("Requests in two sends do not stall here.", report.Judgement.Text, StringComparison.Ordinal);
    }

    [Fact]
    public void TickingTimer_ToldFromAFixedOne()
    {
        DiagnosisReport report = Diagnose("receiver-200ms-tick", Short with
        {
            Cells = [ExperimentCell.OneWrite, ExperimentCell.Split, ExperimentCell.SplitNoDelay],
            TickProbes = 14,
        });

        Assert.Equal(Cause.NagleDelayedAck, report.Diagnosis.Cause);
        Assert.Equal("tick", report.Diagnosis.TimerModel);
        Assert.Equal(200, report.Diagnosis.ClusterMs);
    }

    [Theory]
    [InlineData("clean")]
    [InlineData("delay-5ms")]
    [InlineData("jitter-5ms")]
    public void HostsThatAcknowledgeAtOnce_NeitherNagleNorDelayedAckSaid(string preset)
    {
        DiagnosisReport report = Diagnose(preset, Short with { CellAtLeast = 5 });

        Assert.Equal(Cause.None, report.Diagnosis.Cause);
        Assert.Equal(Cause.None, report.ReplyDiagnosis!.Cause);
        Assert.DoesNotContain(report.Findings, f => f.Cause is Cause.NagleDelayedAck or Cause.NagleHold or Cause.DelayedAck);
        Assert.DoesNotContain("Nagle", report.Diagnosis.Text, StringComparison.OrdinalIgnoreCase);
        Assert.DoesNotContain("delayed", report.Diagnosis.Text, StringComparison.OrdinalIgnoreCase);
    }

    [Fact]
    public void ServerThinkTime_IsTheServers()
    {
        DiagnosisReport report = Diagnose("clean", Short with { PeerThink = TimeSpan.FromMilliseconds(200), Rounds = 2 });

        Assert.Equal(Cause.None, report.Diagnosis.Cause);
        Finding finding = Assert.Single(report.Findings);
        Assert.Equal(Cause.ServerThink, finding.Cause);
        Assert.Equal(Side.Server, finding.Side);
        Assert.Contains("server's own processing", report.Diagnosis.Text, StringComparison.Ordinal);
    }

    [Fact]
    public void HostsOwnDelayedAck_OverADelayedPath_StillFound()
    {
        DiagnosisReport report = Diagnose("delay-5ms-linux", Short with { Rounds = 5 });

        Assert.Equal(Cause.NagleDelayedAck, report.Diagnosis.Cause);
        Assert.Equal(40, report.Diagnosis.ClusterMs);
    }

    [Fact]
    public void LossyPath_IsNotAnAckTimer()
    {
        DiagnosisReport report = Diagnose("loss-1pct", Short);

        Assert.NotEqual(Cause.NagleDelayedAck, report.Diagnosis.Cause);
        Assert.NotEqual(Cause.DelayedAck, report.Diagnosis.Cause);
    }
}
