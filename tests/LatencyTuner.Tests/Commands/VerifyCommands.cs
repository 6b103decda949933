using System.Text;
using LatencyTuner.Core;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Histograms;
using LatencyTuner.Core.Measurement;
using LatencyTuner.Core.Reporting;
using LatencyTuner.Core.Reporting.Changes;
using LatencyTuner.Core.Reporting.Measurement;
using LatencyTuner.Core.Reporting.Model;
using LatencyTuner.Core.Settings;
using LatencyTuner.Core.Tuning;
using LatencyTuner.Tests.Reporting;
using Xunit;

namespace LatencyTuner.Tests.Commands;

/// <summary>State and effect of what was applied, and how it is undone.</summary>
public sealed class VerifyCommands : IDisposable
{
    private readonly TunedMachine _machine = new();

    public void Dispose() => _machine.Dispose();

    [Fact]
    public void Drift_IsToldAndNotOverwrittenButByForce()
    {
        string before = _machine.Dump;
        Apply("tcp.ackfrequency=1");
        _machine.Store.Write(TunedMachine.Frequency, SettingValue.Dword(5));
        string drifted = _machine.Dump;

        Assert.Equal(ChangeStatus.Drifted, Assert.Single(Report(_machine.Run("verify", "--format", "json"), 6).Changes).Status);
        Assert.StartsWith("REFUSED", _machine.Run("rollback", "--yes").Out, StringComparison.Ordinal);
        Assert.Equal(drifted, _machine.Dump);
        _machine.Run("rollback", "--yes", "--force").Done();

        Assert.Equal(before, _machine.Dump);
    }

    [Fact]
    public void Rollback_AsksWhichOfSeveralBatches()
    {
        string first = Apply("tcp.ackfrequency=1").Batch!;
        string second = Apply("tcp.delackticks=3").Batch!;
        string both = _machine.Dump;

        _machine.Run("rollback", "--yes").Failed(2, first, second, "--all");
        Assert.Equal(both, _machine.Dump);
        _machine.Run("rollback", "--batch", first, "--yes").Done();

        Assert.Equal((SettingValue.Dword(2), SettingValue.Dword(3)), (_machine.Store.Read(TunedMachine.Frequency), _machine.Store.Read(TunedMachine.Ticks)));
    }

    [Theory]
    [InlineData("Team1")]
    [InlineData("10.20.0.21")]
    [InlineData(TunedMachine.Team)]
    public void Rollback_OfASettingTakesTheInterfaceByAnyName(string name)
    {
        Apply("tcp.ackfrequency=1", "tcp.delackticks=3");

        _machine.Run("rollback", "--setting", "TcpAckFrequency", "--interface", name, "--yes").Done();

        Assert.Equal((SettingValue.Dword(2), SettingValue.Dword(3)), (_machine.Store.Read(TunedMachine.Frequency), _machine.Store.Read(TunedMachine.Ticks)));
    }

    [Fact]
    public void Rollback_WorksForAnAdapterThatIsGone()
    {
        Apply("tcp.ackfrequency=1");
        _machine.Snapshot = _machine.Snapshot with { Interfaces = [] };

        _machine.Run("rollback", "--setting", "tcp.ackfrequency", "--interface", "Team1", "--yes").Done();

        Assert.Equal(SettingValue.Dword(2), _machine.Store.Read(TunedMachine.Frequency));
    }

    [Theory]
    [InlineData("rollback --batch nope --yes", "has no batch \"nope\"")]
    [InlineData("rollback --setting tcp.ackfrequncy --yes", "did you mean 'tcp.ackfrequency'")]
    [InlineData("rollback --setting tcp.ackfrequency --interface Taem1", "There is no interface 'Taem1'")]
    [InlineData("rollback --batch a --all", "exclude each other")]
    [InlineData("rollback --interface Team1", "--interface needs --setting")]
    [InlineData("verify --batch nope", "has no batch \"nope\"")]
    public void Commands_SayWhatIsUnknown(string line, string says)
    {
        Apply("tcp.ackfrequency=1");
        string before = _machine.Dump;

        _machine.Run(line.Split(' ')).Failed(2, says);

        Assert.Equal(before, _machine.Dump);
    }

    [Fact]
    public void Verify_KnowsARestartFromTheTimeOfTheLastStart()
    {
        Apply("tcp.ackfrequency=1");
        Assert.Equal(RestartNeed.Adapter, Pending());
        HostSnapshot before = _machine.Snapshot;

        _machine.Snapshot = Started(before, DateTimeOffset.UtcNow);
        Assert.Equal(RestartNeed.None, Pending());
        _machine.Snapshot = before;
        Restart();
        Assert.Equal(RestartNeed.None, Pending());
        _machine.Snapshot = Started(_machine.Snapshot with { BootUtc = null }, null);
        Assert.Null(Pending());

        RestartNeed? Pending() => Assert.Single(Report(_machine.Run("verify", "--format", "json")).Changes).Pending;

        static HostSnapshot Started(HostSnapshot snapshot, DateTimeOffset? at) =>
            snapshot with { Interfaces = [.. snapshot.Interfaces.Select(i => i with { StartedUtc = at })] };
    }

    [Fact]
    public void Effect_OfAcksIsNotToldByThisEnd()
    {
        string before = Measured("10.20.0.99", DateTimeOffset.UtcNow.AddHours(-1));
        Apply("tcp.ackfrequency=1");

        Assert.Contains(
            "restart", Effect(before, Measured("10.20.0.99", DateTimeOffset.UtcNow.AddHours(1)), 7).Text, StringComparison.Ordinal);
        Restart();
        ReportedEffect effect = Effect(before, Measured("10.20.0.99", DateTimeOffset.UtcNow.AddHours(1)), 7);

        Assert.Equal("cannot-tell", effect.Verdict);
        Assert.Contains("changes the ACKs that this host sends, so only its peer notices it", effect.Text, StringComparison.Ordinal);
        _machine.Run("verify", "--allow-inconclusive", "--against", before, Measured("10.20.0.99", DateTimeOffset.UtcNow.AddHours(1))).Done();
    }

    [Fact]
    public void Effect_OfAcksIsToldByThePeer()
    {
        // The peer measured this host, whose address was the target.
        string before = Measured("10.20.0.21", DateTimeOffset.UtcNow.AddHours(-1));
        Apply("tcp.ackfrequency=1");
        Restart();

        Assert.Contains("before the change", Effect(before, before, 7).Text, StringComparison.Ordinal);
        Assert.Equal("same", Effect(before, Measured("10.20.0.21", DateTimeOffset.UtcNow.AddHours(1)), 0).Verdict);
        Assert.Contains("after the change", Effect(Measured("10.20.0.21", DateTimeOffset.UtcNow.AddHours(1)), before, 7).Text, StringComparison.Ordinal);
    }

    [Fact]
    public void Effect_IsMeasuredAgainAsTheStoredMeasurementWas()
    {
        // Replies in two writes with Nagle on: this host's ACKs release the second, so this end feels them.
        using RunningResponder responder = new(null);
        string before = _machine.Files["before.json"];
        CliRun.Of("measure", responder.Target, "--peer-writes", "2", "--runs", "3", "--count", "4", "--format", "json", "--output", before);
        ChangeReport applied = Apply(["tcp.ackfrequency=1"], "--measure", before);
        Assert.Contains(applied.Notes, n => n.Contains($"verify --batch {applied.Batch}' repeats", StringComparison.Ordinal));
        Restart();

        ChangeReport report = Report(_machine.Run("verify", "--allow-inconclusive", "--format", "json"));

        Assert.NotNull(report.Effect);
        Assert.DoesNotContain("only its peer", report.Effect.Text, StringComparison.Ordinal);
        Assert.Null(Report(_machine.Run("verify", "--state-only", "--format", "json")).Effect);
    }

    [Fact]
    public void Effect_CannotBeToldWhenThePeerIsNotThere()
    {
        string target;
        string before = _machine.Files["before.json"];
        using (RunningResponder responder = new(null))
        {
            target = responder.Target;
            CliRun.Of("measure", target, "--peer-writes", "2", "--count", "3", "--format", "json", "--output", before);
        }

        Apply(["tcp.ackfrequency=1"], "--measure", before);
        Restart();

        ReportedEffect effect = Report(_machine.Run("verify", "--format", "json"), 7).Effect!;
        Assert.Equal("cannot-tell", effect.Verdict);
        Assert.Contains(target.Split(':')[^1], effect.Text, StringComparison.Ordinal);
    }

    [Fact]
    public void Measure_ThatCouldNotBeComparedIsRefusedBeforeTheChange()
    {
        string path =
            _machine.Files.Write(
                "before.json",
                ReportJson.Serialize(
                    SampleReports.Healthy with { Runs = [new RunFigures { Run = 0, StartMs = 0, DurationMs = 1, Count = 1, Histogram = "AAAA" }] }));
        string before = _machine.Dump;

        _machine.Run("apply", "--setting", "tcp.ackfrequency=1", "--interface", "Team1", "--measure", path, "--yes").Failed(3, "histogram");

        Assert.Equal(before, _machine.Dump);
    }

    [Fact]
    public void Plan_OfAMeasurementAsksForTheSame()
    {
        MeasurementPlan plan = new()
        {
            Workload = new Workload
            {
                Pattern = WritePattern.Split,
                Writes = [16, 48],
                Gap = TimeSpan.FromMilliseconds(1),
                ReplySize = 100,
                PeerWrites = 2,
                NoDelay = false,
                PeerAck = AckBehaviour.Immediate,
                SendBuffer = 4096,
            },
            RatePerSecond = 50,
            Arrivals = Arrivals.Poisson,
            Duration = TimeSpan.FromSeconds(3),
            Connections = 2,
            Seed = 7,
        };
        MeasurementReport report = SampleReports.Healthy with
        {
            Pattern = "split",
            Options = new OptionPair { Requested = MeasurementReportBuilder.Requested(plan) },
        };

        MeasurementPlan again = PlanFromReport.From(report, "before.json");

        Assert.Equal(
            ReportJson.SerializeAny(report),
            ReportJson.SerializeAny(report with { Options = new OptionPair { Requested = MeasurementReportBuilder.Requested(again) } }));
        Assert.Equal(WritePattern.Split, again.Workload.Pattern);
    }

    [Fact]
    public void Plan_OfAMeasurementEditedIntoNonsenseIsRefused()
    {
        MeasurementReport report = SampleReports.Healthy;
        RequestedOptions asked = report.Options.Requested;

        Assert.All(
            new[] {
                asked with { Connections = 0 }, asked with { ReplySizeBytes = -1 }, asked with { WritesBytes = [] },
                asked with { DurationMs = null, Count = null }, asked with { RatePerSecond = -1 }, asked with { WarmupMs = 1e12 } },
            bad =>
                Assert.Equal(
                    ExitCode.Input,
                    Assert.Throws<ExpectedFailureException>(
                        () => PlanFromReport.From(report with { Options = new OptionPair { Requested = bad } }, "before.json")).Code));
    }

    private ChangeReport Apply(params string[] settings) => Apply(settings, []);

    private ChangeReport Apply(string[] settings, params string[] more) =>
        Report(_machine.Run(["apply", .. settings.SelectMany(s => new[] { "--setting", s }), "--interface", "Team1", "--yes", "--format", "json", .. more]));

    private void Restart() => _machine.Snapshot = _machine.Snapshot with { BootUtc = DateTimeOffset.UtcNow };

    /// <summary>A measurement against an address, made at a time.</summary>
    private string Measured(string address, DateTimeOffset at)
    {
        MeasurementReport healthy = SampleReports.Healthy;
        LatencyHistogram histogram = new();
        for (int i = 0; i < 1000; i++)
        {
            histogram.Record(100_000 + (i % 7));
        }

        MeasurementReport report = healthy with
        {
            StartedUtc = at.UtcDateTime,
            Target = healthy.Target with { Name = address, Address = address },
            Runs =
                [.. Enumerable.Range(0, 5)
                    .Select(
                        i =>
                            new RunFigures
                            {
                                Run = i,
                                StartMs = i,
                                DurationMs = 1,
                                Count = histogram.Count,
                                Histogram = Convert.ToBase64String(histogram.EncodeCompressedV2()),
                            })],
        };
        return _machine.Files.Write($"{Guid.NewGuid():N}.json", ReportJson.Serialize(report));
    }

    private ReportedEffect Effect(string before, string after, int code) =>
        Report(_machine.Run("verify", "--format", "json", "--against", before, after), code).Effect!;

    private static ChangeReport Report(CliRun run, int code = 0) => ReportJson.Read<ChangeReport>(Encoding.UTF8.GetBytes(run.Done(code).Out), "out");
}
