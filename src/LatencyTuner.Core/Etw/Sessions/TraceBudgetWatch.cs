namespace LatencyTuner.Core.Etw.Sessions;

/// <summary>Judges whether a live trace may go on. One thread at a time.</summary>
public sealed class TraceBudgetWatch
{
    /// <summary>Events are counted over this: the rundown of many connections is a burst, not a rate.</summary>
    public static readonly TimeSpan Window = TimeSpan.FromSeconds(3);

    private readonly TraceBudget _budget;
    private readonly TimeProvider _time;
    private readonly Queue<(long At, long Events)> _samples = new();

    /// <summary>Begins to watch.</summary>
    /// <param name="budget">The limits.</param>
    /// <param name="time">The clock.</param>
    public TraceBudgetWatch(TraceBudget budget, TimeProvider time)
    {
        ArgumentNullException.ThrowIfNull(budget);
        ArgumentNullException.ThrowIfNull(time);
        (_budget, _time) = (budget, time);
        _samples.Enqueue((time.GetTimestamp(), 0));
    }

    /// <summary>Events a second over the window, as of the last look.</summary>
    public double EventsPerSecond { get; private set; }

    /// <summary>Looks at the trace.</summary>
    /// <param name="now">Where it is.</param>
    /// <returns>Why it has to end, a clause; null while it may go on.</returns>
    public string? Check(TraceProgress now)
    {
        Count(now.Events);
        return Rate(now) ?? Lost(now.Losses, now.Events) ?? Disk(now.FreeBytes);
    }

    private void Count(long events)
    {
        long at = _time.GetTimestamp();
        _samples.Enqueue((at, events));
        while (_samples.Count > 2 && _time.GetElapsedTime(_samples.Peek().At, at) > Window)
        {
            _samples.Dequeue();
        }

        (long At, long Events) first = _samples.Peek();
        // A window that has only begun counts as a whole one, so that the burst of a rundown is no rate.
        double seconds = Math.Max(_time.GetElapsedTime(first.At, at).TotalSeconds, Window.TotalSeconds);
        EventsPerSecond = (events - first.Events) / seconds;
    }

    private string? Rate(TraceProgress now) => EventsPerSecond <= _budget.MaxEventsPerSecond ? null
        : $"the trace was ended early: {EventsPerSecond:0} events/s over {Window.TotalSeconds:0} s are more than the budget of "
            + $"{_budget.MaxEventsPerSecond:0}/s (--max-events-per-second)";

    private string? Lost(SessionLosses losses, long events)
    {
        double ofEvents = Share(losses.Events, events);
        if (losses.Events >= _budget.LeastLostEvents && ofEvents > _budget.MaxLostShare)
        {
            return $"the trace was ended early: {losses.Events} events were lost, {ofEvents:P1} of all, more than {_budget.MaxLostShare:P1} (--max-lost-share)";
        }

        double ofBuffers = Share(losses.Buffers, losses.BuffersWritten);
        return losses.Buffers >= _budget.LeastLostBuffers && ofBuffers > _budget.MaxLostShare
            ? $"the trace was ended early: {losses.Buffers} buffers were lost, {ofBuffers:P1} of all, more than {_budget.MaxLostShare:P1} (--max-lost-share)"
            : null;
    }

    private string? Disk(long? free) => free is not { } bytes || bytes >= _budget.MinFreeBytes ? null
        : $"the trace was ended early: {bytes >> 20} MiB are free where the file is, less than {_budget.MinFreeBytes >> 20} MiB (--min-free)";

    private static double Share(long lost, long rest) => lost == 0 ? 0 : (double)lost / (lost + rest);
}

/// <summary>A live trace at a moment.</summary>
/// <param name="Events">Events delivered since it began.</param>
/// <param name="Losses">What its sessions lost.</param>
/// <param name="FreeBytes">Bytes free on the volume of the file; null without a file, or when Windows does not say.</param>
public readonly record struct TraceProgress(long Events, SessionLosses Losses, long? FreeBytes);
