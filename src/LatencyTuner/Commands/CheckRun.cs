using LatencyTuner.Core;
using LatencyTuner.Core.Analysis.Sockets;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Measurement;
using LatencyTuner.Core.Measurement.Experiments;
using LatencyTuner.Core.Measurement.Loops;
using LatencyTuner.Core.Reporting.Check;
using LatencyTuner.Core.Reporting.Diagnosis;
using LatencyTuner.Core.Reporting.Measurement;
using LatencyTuner.Core.Reporting.Settings;
using LatencyTuner.Core.Settings;
using LatencyTuner.Core.Settings.Audit;
using LatencyTuner.Hosting;

namespace LatencyTuner.Commands;

/// <summary>Makes the measurements of a check: loopback always, then each target; a target that fails does not stop the others.</summary>
internal sealed class CheckRun
{
    public required MeasurementPlan Plan { get; init; }

    public required MeasuringContext Measuring { get; init; }

    /// <summary>What makes a finding a warning or an error.</summary>
    public SeverityLimits Severity { get; init; } = SeverityLimits.Standard;

    /// <summary>True runs the experiment of <c>diagnose</c> on each target, or on loopback when there is no target.</summary>
    public bool Diagnose { get; init; } = true;

    /// <summary>The plan of the experiment, short enough for a gate.</summary>
    public ExperimentPlan Experiment { get; init; } = new() { Rounds = 3, CellTime = TimeSpan.FromMilliseconds(80), CellAtLeast = 2, TickProbes = 0 };

    /// <summary>The combinations tried on each target.</summary>
    public IReadOnlyList<ExperimentCell> Cells { get; init; } = ExperimentCell.All;

    /// <summary>The kind of workload that the settings are judged for.</summary>
    public WorkloadProfile Profile { get; init; } = WorkloadProfile.Balanced;

    public IProgress<MeasurementProgress>? Progress { get; init; }

    /// <summary>Takes a snapshot of this machine; null where none can be taken.</summary>
    public Func<HostSnapshot>? LiveSnapshot { get; init; }

    /// <summary>The application whose sockets the workload is set like; null for none.</summary>
    public ApplicationSockets? Application { get; init; }

    public CheckInputs Run(IReadOnlyList<string> targets, Func<string, OpenTarget> open, CancellationToken cancellation)
    {
        DateTimeOffset started = Measuring.Time.GetUtcNow();
        int steps = targets.Count + 1;
        // With targets, loopback is context and gets less of the time.
        MeasurementPlan loopbackPlan = targets.Count == 0 ? Plan : Plan with { Duration = Shorter(Plan.Duration), Count = Plan.Count };
        CheckedTarget loopback = Check(TargetOptions.Loopback, loopbackPlan, targets.Count == 0 ? Cells : ExperimentCell.Context, open, 0, steps, cancellation);
        List<CheckedTarget> results = [];
        foreach (string target in targets)
        {
            if (cancellation.IsCancellationRequested)
            {
                break;
            }

            results.Add(Check(target, Plan, Cells, open, results.Count + 1, steps, cancellation));
        }

        // Last, so that it takes no processor time from a measurement.
        (SettingsAudit settings, IReadOnlyList<Finding> findings) = Audit();
        return new CheckInputs
        {
            StartedUtc = started,
            Loopback = loopback,
            Targets = results,
            Settings = settings,
            SettingsFindings = findings,
            Cancelled = cancellation.IsCancellationRequested,
            Application = Application?.Text,
        };
    }

    private (SettingsAudit Settings, IReadOnlyList<Finding> Findings) Audit()
    {
        if (LiveSnapshot is null)
        {
            string because = OperatingSystem.IsWindows()
                ? "this build cannot read the settings of the machine it runs on."
                : "this program knows only the TCP settings of Windows, and this is not Windows.";
            return (new SettingsAudit { Audited = false, NotAuditedBecause = because }, []);
        }

        try
        {
            HostAuditResult audit = HostAudit.Of(SettingsCatalogue.Current, LiveSnapshot(), Profile, "this machine");
            return (new SettingsAudit { Audited = true }, audit.Findings);
        }
        catch (ExpectedFailureException e)
        {
            return (new SettingsAudit { Audited = false, NotAuditedBecause = e.Message }, []);
        }
    }

    private static TimeSpan? Shorter(TimeSpan? duration) => duration is { } d ? TimeSpan.FromTicks(Math.Min(d.Ticks, TimeSpan.TicksPerSecond)) : null;

    private CheckedTarget Check(
        string name, MeasurementPlan plan, IReadOnlyList<ExperimentCell> cells, Func<string, OpenTarget> open, int step, int steps,
        CancellationToken cancellation)
    {
        MeasurementReport? measurement = null;
        DiagnosisReport? diagnosis = null;
        try
        {
            using OpenTarget opened = open(name);
            bool diagnoses = Diagnose && plan.Workload.Pattern != WritePattern.Stream;
            int parts = diagnoses ? 2 : 1;
            MeasurementResult measured = PingPong.Run(opened.Target, plan, Measuring, cancellation, Part(step * parts, steps * parts));
            measurement = measured.Received > 0 || measured.Cancelled ? MeasurementReportBuilder.From(measured, CliHost.Tool, Severity) : null;
            if (measured.EndedBecause is { } why)
            {
                return new CheckedTarget(name, measurement, null, why);
            }

            if (diagnoses && !cancellation.IsCancellationRequested)
            {
                ExperimentPlan experiment = Experiment with
                {
                    Cells = cells,
                    Size = Math.Max(plan.Workload.RequestSize, 2),
                    ReplySize = Math.Max(plan.Workload.ReplySize, 2),
                    PeerThink = plan.Workload.PeerThink,
                    ReplyTimeout = plan.ReplyTimeout,
                };
                diagnosis = DiagnosisReportBuilder.From(
                    Core.Measurement.Experiments.Experiment.Run(
                        opened.Target, experiment, Measuring, cancellation, Part((step * parts) + 1, steps * parts)),
                    null, null, Application);
            }

            return new CheckedTarget(
                name, measurement, diagnosis, diagnosis is { Complete: false } && !cancellation.IsCancellationRequested ? diagnosis.EndedBecause : null);
        }
        catch (ExpectedFailureException e) when (e.Code is ExitCode.Measurement)
        {
            return new CheckedTarget(name, measurement, diagnosis, e.Message) { Missing = e.Missing };
        }
    }

    private ScaledProgress? Part(int part, int parts) => Progress is null ? null : new ScaledProgress(Progress, part, parts);

    private sealed class ScaledProgress(IProgress<MeasurementProgress> outer, int step, int steps) : IProgress<MeasurementProgress>
    {
        public void Report(MeasurementProgress value) => outer.Report(value with { Share = (step + (value.Share ?? 0)) / steps });
    }
}
