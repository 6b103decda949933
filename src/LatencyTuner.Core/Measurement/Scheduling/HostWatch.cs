using LatencyTuner.Core.Sockets;

namespace LatencyTuner.Core.Measurement.Scheduling;

/// <summary>Watches this machine while at least one caller has joined: the first to join starts the stall clock, the last to leave stops it.</summary>
internal sealed class HostWatch(TimeProvider time, ISocketPlatform platform)
{
    private readonly object _gate = new();
    private StallClock? _clock;
    private int _watchers;

    /// <summary>Begins to watch; must be balanced by <see cref="Leave"/>.</summary>
    internal StallClock Join()
    {
        lock (_gate)
        {
            _watchers++;
            return _clock ??= new StallClock(time, platform);
        }
    }

    /// <summary>Ends what <see cref="Join"/> began.</summary>
    internal void Leave()
    {
        StallClock? ended = null;
        lock (_gate)
        {
            if (--_watchers == 0)
            {
                (ended, _clock) = (_clock, null);
            }
        }

        ended?.Dispose();
    }

    /// <summary>Takes one sample; only between a join and a leave.</summary>
    internal HostSample Look(StallClock clock) =>
        new(time.GetTimestamp(), platform.ReadProcessorTimes(), clock.Counts(), GC.GetTotalPauseDuration(), GC.CollectionCount(0));

    /// <summary>Processor use and scheduling delays between two samples.</summary>
    internal HostUse Between(HostSample start, HostSample end) => HostUse.Between(start, end, time.TimestampFrequency, Environment.ProcessorCount);
}

/// <summary>One sample of the processor use and scheduling delays of this machine and this process.</summary>
internal sealed record HostSample(long Timestamp, ProcessorTimes Processors, DelayCounts Delays, TimeSpan GcPause, int GcCount);
