using System.CommandLine;
using LatencyTuner.Core;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Measurement;
using LatencyTuner.Core.Measurement.Loops;
using LatencyTuner.Core.Reporting;
using LatencyTuner.Core.Reporting.Changes;
using LatencyTuner.Core.Reporting.Comparison;
using LatencyTuner.Core.Reporting.Measurement;
using LatencyTuner.Core.Tuning;
using LatencyTuner.Hosting;

namespace LatencyTuner.Commands;

/// <summary><c>verify</c>: is what was applied still there, in force, and did it help.</summary>
internal sealed class VerifyCommand(CliHost host)
{
    // The defaults of compare.
    private static readonly TimeSpan Limit = TimeSpan.FromMicroseconds(50);
    private const double LimitShare = 0.1;
    private const int Seed = 1;

    private readonly Option<string?> _batch = new("--batch")
    {
        Description = "Verify only this batch; 'latencytuner history' lists the batches.",
        HelpName = "id",
    };
    private readonly Option<string[]> _against = new("--against")
    {
        Description = "Judge the effect by two measurements, before and after, for example of the peer.",
        HelpName = "before after",
        Arity = new ArgumentArity(2, 2),
        AllowMultipleArgumentsPerToken = true,
    };
    private readonly Option<bool> _stateOnly = new("--state-only") { Description = "Do not repeat the measurement that apply --measure kept." };
    private readonly Option<bool> _allowInconclusive = new("--allow-inconclusive")
    {
        Description = "Exit with 0 when the evidence allows no verdict on the effect.",
    };
    private readonly TargetOptions _targets = new();
    private readonly CommonOptions _common = new();

    public static Command Create(CliHost host) => new VerifyCommand(host).Create();

    private Command Create()
    {
        Command command = new(
            "verify", "Checks whether applied changes are as written, in force, and helped. Repeats the measurement that apply --measure kept.")
        {
            _batch, _against, _stateOnly, _allowInconclusive,
        };
        _targets.AddTo(command);
        _common.AddTo(command);
        command.SetAction((parse, cancellation) => Cli.Start(() => Run(parse, cancellation)));
        return command;
    }

    private ExitCode Run(ParseResult parse, CancellationToken cancellation)
    {
        using ReportOutput output = new(host, _common.Values(parse));
        (MeasurementReport Before, MeasurementReport After)? against = parse.GetValue(_against) is [var a, var b] ? (Measured(a), Measured(b)) : null;
        LiveTuning live = TuningRuns.Require(host, "Changes can be verified");
        HostSnapshot snapshot = live.Snapshot();
        TuningContext context = TuningRuns.Context(live, host);
        TuningResult result = new Verification(context).Verify(parse.GetValue(_batch), RestartTimes.Of(snapshot));
        MeasuredEffect? effect = against is var (before, after)
            ? Judge(result.Changes, before, after, snapshot.Interfaces)
            : parse.GetValue(_stateOnly) ? null : Repeat(parse, live, result, snapshot.Interfaces, cancellation);
        if (effect is not null)
        {
            result = result with
            {
                AllowInconclusive = parse.GetValue(_allowInconclusive),
                Effect = effect,
                Text = $"{result.Text} Effect: {effect.Verdict.Replace('-', ' ')}."
            };
        }

        return TuningRuns.Finish(host, output, live, context.Machine, result);
    }

    /// <summary>The same measurement again, of the newest batch in force that has one; null when none has.</summary>
    private MeasuredEffect? Repeat(
        ParseResult parse, LiveTuning live, TuningResult result, IReadOnlyList<NetworkInterface> interfaces, CancellationToken cancellation)
    {
        foreach (string batch in result.Changes.Select(c => c.Batch).OfType<string>().Distinct().Reverse())
        {
            if (StoredMeasurement.Of(live.Folder, batch) is { } stored)
            {
                List<ChangeOutcome> changes = [.. result.Changes.Where(c => c.Batch == batch)];
                return EffectComparison.WhyNot(changes, stored.Report, null, interfaces) is { } why
                    ? MeasuredEffect.CannotTell(why)
                    : Measure(parse, stored, cancellation);
            }
        }

        return null;
    }

    private MeasuredEffect Measure(ParseResult parse, StoredMeasurement stored, CancellationToken cancellation)
    {
        try
        {
            using OpenTarget opened = _targets.Open(parse, host, stored.Report.Target.Name, null, cancellation);
            MeasurementPlan plan = PlanFromReport.From(stored.Report, stored.Path);
            MeasurementResult again =
                ProgressLine.Run(host, _common.Values(parse), progress => PingPong.Run(opened.Target, plan, host.Measuring, cancellation, progress, null));
            return again.Cancelled ? MeasuredEffect.CannotTell("The measurement was cancelled.")
                : again.EndedBecause is { } because ? MeasuredEffect.CannotTell(because)
                : Compare(stored.Report, MeasurementReportBuilder.From(again, CliHost.Tool));
        }
        catch (ExpectedFailureException e) when (e.Code == ExitCode.Measurement)
        {
            return MeasuredEffect.CannotTell(e.Message);
        }
    }

    private static MeasuredEffect Judge(
        IReadOnlyList<ChangeOutcome> changes, MeasurementReport before, MeasurementReport after, IReadOnlyList<NetworkInterface> interfaces) =>
        EffectComparison.WhyNot(changes, before, after, interfaces) is { } why ? MeasuredEffect.CannotTell(why) : Compare(before, after);

    private static MeasuredEffect Compare(MeasurementReport before, MeasurementReport after) =>
        EffectComparison.From(ComparisonReportBuilder.From("before", before, "after", after, Limit, LimitShare, Seed));

    private MeasurementReport Measured(string path) => ReportJson.Read<MeasurementReport>(SnapshotFiles.Bytes(host, path), path);
}
