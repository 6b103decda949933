using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Etw.Sessions;

/// <summary>Decides whether a live trace can continue. Not thread-safe.</summary>
public sealed class TraceBudgetWatch
{
    /// <summary>The time over which the event rate is averaged, so that the rundown of many connections, a burst, does not count as a rate.</summary>
    public static readonly TimeSpan Window = TimeSpan.FromSeconds(3);

    private readonly TraceBudget _budget;
    private readonly TimeProvider _time;
    private readonly Queue<(long At, long Events)> _samples = new();

    /// <summary>Starts to watch a trace.</summary>
    /// <param name="budget">The limits.</param>
    /// <param name="time">The clock.</param>
    public TraceBudgetWatch(TraceBudget budget, TimeProvider time)
    {
        ArgumentNullException.ThrowIfNull(budget);
        ArgumentNullException.ThrowIfNull(time);
        (_budget, _time) = (budget, time);
        _samples.Enqueue((time.GetTimestamp(), 0));
    }

    /// <summary>Events per second over the window, at the last check.</summary>
    public double EventsPerSecond { get; private set; }

    /// <summary>Checks the trace against its limits.</summary>
    /// <param name="now">The current progress of the trace.</param>
    /// <returns>The reason why the trace must end, as a clause; null while it can continue.</returns>
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
        // A window that has just started counts as a whole one, so that the burst of a rundown does not count as a rate.
        double seconds = Math.Max(_time.GetElapsedTime(first.At, at).TotalSeconds, Window.TotalSeconds);
        EventsPerSecond = (events - first.Events) / seconds;
    }

    private string? Rate(TraceProgress now) => EventsPerSecond <= _budget.MaxEventsPerSecond ? null
        : $"the trace was ended early: {EventsPerSecond:0} events/s over {Window.TotalSeconds:0} s are above the limit of "
            + $"{_budget.MaxEventsPerSecond:0} events/s (--max-events-per-second)";

    private string? Lost(SessionLosses losses, long events)
    {
        double ofEvents = Share(losses.Events, events);
        if (losses.Events >= _budget.LeastLostEvents && ofEvents > _budget.MaxLostShare)
        {
            return $"the trace was ended early: {Counted.Were(losses.Events, "event")} lost, {ofEvents:P1} of all; the limit is {_budget.MaxLostShare:P1} "
                + "(--max-lost-share)";
        }

        double ofBuffers = Share(losses.Buffers, losses.BuffersWritten);
        return losses.Buffers >= _budget.LeastLostBuffers && ofBuffers > _budget.MaxLostShare
            ? $"the trace was ended early: {Counted.Were(losses.Buffers, "buffer")} lost, {ofBuffers:P1} of all; the limit is {_budget.MaxLostShare:P1} "
                + "(--max-lost-share)"
            : null;
    }

    private string? Disk(long? free) => free is not { } bytes || bytes >= _budget.MinFreeBytes ? null
        : $"the trace was ended early: the volume of the file has {bytes >> 20} MiB free; the limit is {_budget.MinFreeBytes >> 20} MiB (--min-free)";

    private static double Share(long lost, long rest) => lost == 0 ? 0 : (double)lost / (lost + rest);
}

/// <summary>The progress of a live trace.</summary>
/// <param name="Events">Number of events delivered since its start.</param>
/// <param name="Losses">The losses of its sessions.</param>
/// <param name="FreeBytes">Free bytes on the volume of the file; null without a file, or when unknown.</param>
public readonly record struct TraceProgress(long Events, SessionLosses Losses, long? FreeBytes);
