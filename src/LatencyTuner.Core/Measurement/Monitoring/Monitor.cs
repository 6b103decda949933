namespace LatencyTuner.Core.Measurement.Monitoring;

/// <summary>
/// Asks several targets on one schedule for hours or weeks: one thread a target, spread evenly over the period, so that they neither
/// disturb each other nor fall silent together. What it keeps does not grow with time.
/// </summary>
public static class Monitor
{
    // A steady clock and a wall clock that are slewed apart by NTP stay within this over any interval; more is a step or a sleep.
    private static readonly TimeSpan MostDrift = TimeSpan.FromMilliseconds(500);
    private const int StackBytes = 256 * 1024;

    /// <summary>Runs until the duration has passed or it is cancelled.</summary>
    /// <param name="targets">The targets, at least one.</param>
    /// <param name="plan">Rate and interval.</param>
    /// <param name="time">The clock.</param>
    /// <param name="take">Given the interval of each target at its end; the histogram is valid only during the call.</param>
    /// <param name="ended">Called when all targets of an interval were given.</param>
    /// <param name="cancellation">Ends it; the last, shorter interval is still given.</param>
    /// <param name="observer">Told each response time, on the measuring thread: it must return at once; null for none.</param>
    public static void Run(
        IReadOnlyList<MonitorTarget> targets, MonitorPlan plan, TimeProvider time, Action<MonitorInterval> take, Action ended, CancellationToken cancellation, Action<string, long>? observer = null)
    {
        ArgumentNullException.ThrowIfNull(targets);
        ArgumentNullException.ThrowIfNull(plan);
        ArgumentNullException.ThrowIfNull(time);
        ArgumentNullException.ThrowIfNull(take);
        ArgumentNullException.ThrowIfNull(ended);
        using CancellationTokenSource stop = CancellationTokenSource.CreateLinkedTokenSource(cancellation);
        MonitoredLine[] lines = [.. targets.Select((t, i) => new MonitoredLine(t, plan, TimeSpan.FromSeconds(i / plan.RatePerSecond / targets.Count), time, observer, stop.Token))];
        Exception? bug = null;
        Thread[] threads = Array.ConvertAll(lines, line => new Thread(
            () =>
            {
                try
                {
                    line.Run();
                }
                catch (Exception e)
                {
                    // Thrown again by the caller's thread: on this one it would end the process without a word.
                    bug ??= e;
                    stop.Cancel();
                }
            },
            StackBytes)
        { IsBackground = true, Name = "monitor" });
        Array.ForEach(threads, t => t.Start());
        try
        {
            Collect(lines, plan, time, take, ended, stop.Token);
        }
        finally
        {
            stop.Cancel();
            Array.ForEach(lines, l => l.Interrupt());
            Array.ForEach(threads, t => t.Join());
            Array.ForEach(lines, l => l.Drop());
        }
        if (bug is not null)
            System.Runtime.ExceptionServices.ExceptionDispatchInfo.Throw(bug);
    }

    private static void Collect(MonitoredLine[] lines, MonitorPlan plan, TimeProvider time, Action<MonitorInterval> take, Action ended, CancellationToken stop)
    {
        LatencyHistogram histogram = new();
        long began = time.GetTimestamp();
        long from = began;
        DateTimeOffset fromUtc = time.GetUtcNow();
        bool last = false;
        while (!last)
        {
            TimeSpan left = plan.Duration is { } duration ? duration - time.GetElapsedTime(began) : TimeSpan.MaxValue;
            TimeSpan wait = left < plan.Interval ? left : plan.Interval;
            last = stop.WaitHandle.WaitOne(wait > TimeSpan.Zero ? wait : TimeSpan.Zero) || left <= plan.Interval;
            long now = time.GetTimestamp();
            DateTimeOffset nowUtc = time.GetUtcNow();
            TimeSpan steady = time.GetElapsedTime(from, now);
            TimeSpan step = nowUtc - fromUtc - steady;
            step = step.Duration() > MostDrift ? step : TimeSpan.Zero;
            foreach (MonitoredLine line in lines)
                take(line.Take(fromUtc, steady, step, histogram));
            ended();
            (from, fromUtc) = (now, nowUtc);
        }
    }
}
