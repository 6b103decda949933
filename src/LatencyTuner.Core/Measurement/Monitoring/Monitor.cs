using LatencyTuner.Core.Histograms;
using LatencyTuner.Core.Measurement.Loops;

namespace LatencyTuner.Core.Measurement.Monitoring;

/// <summary>
/// Asks several targets on one schedule for hours or weeks: one thread for all whose probes can be polled, one for each of the others.
/// Its memory does not grow with time.
/// </summary>
public static class Monitor
{
    // NTP slewing alone keeps the wall clock this close to the steady clock over any interval; more is a clock step or a suspend.
    private static readonly TimeSpan MostDrift = TimeSpan.FromMilliseconds(500);
    private static readonly TimeSpan Grid = TimeSpan.FromMilliseconds(10);
    private const int StackBytes = 256 * 1024;

    /// <summary>Runs until the duration has passed or it is cancelled.</summary>
    /// <param name="targets">The targets, at least one.</param>
    /// <param name="plan">Rate and interval.</param>
    /// <param name="context">Clock and platform.</param>
    /// <param name="take">Receives the interval of each target at its end; the histogram is valid only during the call.</param>
    /// <param name="ended">Called after <paramref name="take"/> has received all targets of an interval.</param>
    /// <param name="cancellation">Ends the run; <paramref name="take"/> still receives the last, shorter interval.</param>
    /// <param name="observer">Receives each response time on the measuring thread: it must return at once; null for none.</param>
    /// <returns>The delays that the monitor itself added.</returns>
    public static MonitorTiming Run(
        IReadOnlyList<MonitorTarget> targets, MonitorPlan plan, MeasuringContext context, Action<MonitorInterval> take, Action ended,
        CancellationToken cancellation, Action<string, long>? observer = null)
    {
        ArgumentNullException.ThrowIfNull(targets);
        ArgumentNullException.ThrowIfNull(plan);
        ArgumentNullException.ThrowIfNull(context);
        ArgumentNullException.ThrowIfNull(take);
        ArgumentNullException.ThrowIfNull(ended);
        using CancellationTokenSource stop = CancellationTokenSource.CreateLinkedTokenSource(cancellation);
        MonitorTiming timing = new();
        Standstill standstill = new(context.Time);
        MonitorTally[] tallies = [.. targets.Select(t => new MonitorTally(t.Name, observer))];
        List<ThreadedLine> threaded = [];
        List<PolledLine> polled = [];
        for (int i = 0; i < targets.Count; i++)
        {
            MonitorSchedule schedule = new(plan, Offset(i, targets.Count, plan), tallies[i], timing, standstill, context.Time);
            if (targets[i].Polled)
            {
                polled.Add(new PolledLine(targets[i], schedule));
            }
            else
            {
                threaded.Add(new ThreadedLine(targets[i], schedule, context.Time, stop.Token));
            }
        }
        MeasuringThreads threads = new("monitor", StackBytes, stop);
        threads.Start(() => standstill.Run(stop.Token));
        threaded.ForEach(line => threads.Start(line.Run));
        if (polled.Count > 0)
        {
            threads.Start(new PollLoop(polled, timing, threads, context, stop.Token).Run);
        }

        try
        {
            Collect(tallies, plan, standstill, context.Time, take, ended, stop.Token);
        }
        finally
        {
            stop.Cancel();
            threaded.ForEach(l => l.Interrupt());
            threads.Join();
            threaded.ForEach(l => l.Drop());
        }
        return timing;
    }

    /// <summary>
    /// Targets are spread over the period, so that they neither disturb each other nor pause together. On a grid: waking costs this
    /// machine more than a request. The few targets at one grid point are asked one by one, with a check for answers in between.
    /// </summary>
    private static TimeSpan Offset(int index, int targets, MonitorPlan plan) =>
        Math.Floor(TimeSpan.FromSeconds(index / plan.RatePerSecond / targets) / Grid) * Grid;

    private static void Collect(
        MonitorTally[] tallies, MonitorPlan plan, Standstill standstill, TimeProvider time, Action<MonitorInterval> take, Action ended, CancellationToken stop)
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
            TimeSpan stoodStill = standstill.Take(now);
            TimeSpan awake = steady > stoodStill ? steady - stoodStill : TimeSpan.Zero;
            foreach (MonitorTally tally in tallies)
            {
                take(tally.Take(fromUtc, awake, step, stoodStill, histogram));
            }

            ended();
            (from, fromUtc) = (now, nowUtc);
        }
    }
}
