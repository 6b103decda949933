using LatencyTuner.Core.Measurement.Loops;

namespace LatencyTuner.Core.Measurement.Probes;

/// <summary>
/// Asks several targets on one schedule, so that their results can be compared: each round asks every target once, in a
/// new random order, evenly spaced. The run waits for all first answers together; after them, a target that hangs delays no other.
/// </summary>
public static class ProbeRun
{
    private const int StackBytes = 1024 * 1024;
    private static readonly TimeSpan ProgressInterval = TimeSpan.FromMilliseconds(200);

    /// <summary>Runs all rounds. A target that never answers has a series with failures only.</summary>
    /// <param name="targets">The targets, at least one.</param>
    /// <param name="plan">Rate and rounds.</param>
    /// <param name="time">The clock.</param>
    /// <param name="cancellation">Ends the run early; the result then says so.</param>
    /// <param name="progress">Receives the progress; null for none.</param>
    public static ProbeResult Run(
        IReadOnlyList<ProbeTarget> targets, ProbePlan plan, TimeProvider time, CancellationToken cancellation, IProgress<MeasurementProgress>? progress = null)
    {
        ArgumentNullException.ThrowIfNull(targets);
        ArgumentNullException.ThrowIfNull(plan);
        ArgumentNullException.ThrowIfNull(time);
        using CancellationTokenSource stop = CancellationTokenSource.CreateLinkedTokenSource(cancellation);
        DateTimeOffset started = time.GetUtcNow();
        long start = time.GetTimestamp();
        using CommonStart common = new(targets.Count, TimeSpan.FromSeconds(1 / plan.RatePerSecond), time);
        ProbeLine[] lines = [.. targets.Select((t, i) => new ProbeLine(t, i, targets.Count, plan, common, time, stop.Token))];
        MeasuringThreads threads = new("probe", StackBytes, stop);
        Array.ForEach(lines, line => threads.Start(line.Run));
        while (!threads.AllEnded)
        {
            if (stop.Token.IsCancellationRequested)
            {
                Array.ForEach(lines, l => l.Interrupt());
            }

            threads.Wait(ProgressInterval);
            progress?.Report(new MeasurementProgress(lines.Min(l => l.Round) / (double)(plan.Rounds + 1), "asking all targets in turn"));
        }
        Array.ForEach(lines, l => l.Drop());
        threads.Join();
        return new ProbeResult(started, time.GetElapsedTime(start), plan, [.. lines.Select(l => l.Series)], cancellation.IsCancellationRequested);
    }
}
