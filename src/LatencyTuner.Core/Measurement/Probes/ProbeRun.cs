using LatencyTuner.Core.Measurement.Loops;

namespace LatencyTuner.Core.Measurement.Probes;

/// <summary>
/// Asks several targets on one schedule, so that their figures can be held against each other: each round asks every target once, in a
/// new random order, evenly spaced. The first answers are waited for together; after them a target that hangs delays no other.
/// </summary>
public static class ProbeRun
{
    private const int StackBytes = 1024 * 1024;
    private static readonly TimeSpan ProgressInterval = TimeSpan.FromMilliseconds(200);

    /// <summary>Runs it to its end. A target that never answers is a series with failures only.</summary>
    /// <param name="targets">The targets, at least one.</param>
    /// <param name="plan">Rate and rounds.</param>
    /// <param name="time">The clock.</param>
    /// <param name="cancellation">Ends it early; the result is then marked.</param>
    /// <param name="progress">Told how far it is.</param>
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
