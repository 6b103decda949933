using LatencyTuner.Core;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Measurement.Monitoring;
using LatencyTuner.Core.Reporting.Series;
using LatencyTuner.Core.Series;
using LatencyTuner.Core.Text;
using LatencyTuner.Hosting;
using Monitor = LatencyTuner.Core.Measurement.Monitoring.Monitor;

namespace LatencyTuner.Commands;

/// <summary>One run of <c>monitor</c>: measuring, storing, showing and exporting, then the report of what is stored.</summary>
internal sealed record MonitorRun
{
    public required CliHost Host { get; init; }

    public required MonitorPlan Plan { get; init; }

    public required string Folder { get; init; }

    public required long FileBytes { get; init; }

    public required int Files { get; init; }

    public TimeSpan? MaxP99 { get; init; }

    public TimeSpan? SlowerThan { get; init; }

    public Uri? Collector { get; init; }

    public bool Quiet { get; init; }

    /// <summary>What the report says first, a sentence each.</summary>
    public IReadOnlyList<string> Notes { get; init; } = [];

    /// <summary>The names of the targets that never answered, sorted.</summary>
    public SortedSet<string> Silent { get; } = new(StringComparer.Ordinal);

    public SeriesReport Run(IReadOnlyList<MonitorTarget> targets, SeverityLimits limits, CancellationToken cancellation)
    {
        List<string> notes = [.. Notes];
        MonitorView view = new(Host, Quiet);
        MonitorWatch watch = new(MaxP99);
        MonitorAlertDispatch alerts = new(Host, view);
        MonitorTiming timing;
        long lost = 0;
        long answered = 0;
        string? lastError = null;
        Dictionary<string, string> errors = [];
        Silent.UnionWith(targets.Select(t => t.Name));
        using (MonitorStore store = MonitorStore.Open(Folder, FileBytes, Files))
        using (OtlpMetrics? metrics = Collector is null ? null
            : new OtlpMetrics(Collector, Plan.Interval < TimeSpan.FromSeconds(60) ? Plan.Interval : TimeSpan.FromSeconds(60)))
        {
            if (store.Told is { } told)
            {
                Host.Complain(told);
            }

            MonitorInterval? last = null;
            timing = Monitor.Run(
                targets,
                Plan,
                Host.Measuring,
                interval =>
                {
                    last = interval;
                    answered += interval.Response.Count;
                    lastError = interval.LastError ?? lastError;
                    errors[interval.Target] = interval.LastError ?? errors.GetValueOrDefault(interval.Target, "no request was answered");
                    _ = interval.Response.Count > 0 && Silent.Remove(interval.Target);
                    store.Add(interval);
                    view.Add(interval);
                    Host.Lines?.Interval(interval);
                    alerts.Raise(watch.Take(interval));
                    metrics?.Count(interval.Target, interval.Errors, interval.Missed);
                },
                () =>
                {
                    lost += Stored(store, first: lost == 0) ? 0 : 1;
                    view.Draw(last!);
                },
                cancellation,
                metrics is null ? null : metrics.Observe);
            view.End();
            notes.AddRange(Exported(metrics));
        }

        if (answered == 0)
        {
            throw cancellation.IsCancellationRequested && lastError is null
                ? new OperationCanceledException(cancellation)
                : new ExpectedFailureException(ExitCode.Measurement, lastError ?? "No target answered.");
        }

        foreach (string name in Silent)
        {
            Host.Complain($"{name} never answered: {errors.GetValueOrDefault(name)}");
            notes.Add($"{name} never answered: {errors.GetValueOrDefault(name)}");
        }

        if (lost > 0)
        {
            notes.Add($"{Counted.Of(lost, "interval")} could not be written to {Folder} and are missing from this report.");
        }

        long? slow = (long?)SlowerThan?.TotalNanoseconds;
        bool complete = Plan.Duration is null || !cancellation.IsCancellationRequested;
        SeriesReport report =
            SeriesReportBuilder.From(MonitorSeries.Read(Folder, new SeriesReadOptions { SlowerThanNs = slow }), limits, slow, complete: complete, notes: notes);
        return MonitorReportBuilder.With(report, timing, alerts.First, alerts.Count);
    }

    private bool Stored(MonitorStore store, bool first)
    {
        try
        {
            store.Write();
            return true;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // The measurement continues: the disk may have room again later, and the metrics do not need it.
            if (first)
            {
                Host.Complain($"{Folder} cannot be written: {e.Message.TrimEnd('.')}. The monitor continues without storing intervals.");
            }

            return false;
        }
    }

    private static IEnumerable<string> Exported(OtlpMetrics? metrics)
    {
        if (metrics is { FailedExports: > 0 })
        {
            yield return $"{metrics.FailedExports} of {metrics.FailedExports + metrics.Exports} exports of metrics did not reach the collector.";
        }

        if (metrics is { Dropped: > 0 })
        {
            yield return $"{metrics.Dropped} response times are missing from the metrics, because the export queue was full. The series on disk has them.";
        }
    }
}
