using LatencyTuner.Core.Histograms;

namespace LatencyTuner.Core.Measurement.Loops;

/// <summary>
/// Written by one measuring thread, collected by another without a lock: the writer swaps in an empty set of histograms when asked, the
/// collector takes the full one. Recording allocates nothing.
/// </summary>
internal sealed class LatencyRecorder
{
    /// <summary>The first values are kept one by one, for the autocorrelation of short runs.</summary>
    internal const int FirstSamples = 4096;

    private const double ClockDrift = 1.001;
    private const long ClockGrainNs = 1_000_000;

    private readonly long[] _first;
    private readonly double _nsPerTick;
    private IntervalHistograms _active;
    private IntervalHistograms? _spare;
    private IntervalHistograms? _finished;
    private volatile bool _swapAsked;
    private int _firstCount;

    internal LatencyRecorder(bool openLoop, double nsPerTick, int firstSamples)
    {
        _active = new IntervalHistograms(openLoop);
        _spare = new IntervalHistograms(openLoop);
        _nsPerTick = nsPerTick;
        _first = new long[firstSamples];
    }

    internal ReadOnlySpan<long> First => _first.AsSpan(0, _firstCount);

    /// <summary>Requests sent, warm-up included: the same requests that the kernel's counters include.</summary>
    internal long Exchanges;

    /// <summary>Requests sent after the warm-up.</summary>
    internal long Sent;

    /// <summary>Timestamp ticks spent inside send calls, without the gaps between the writes of a request.</summary>
    internal long SendTicks;

    internal long LongestSendTicks;

    internal long ResidenceNs;

    internal long ClockStepsBack;

    /// <summary>Replies whose residence time cannot be.</summary>
    internal long ImpossibleStamps;

    /// <summary>Records one answered request; the times are timestamps of the run's clock.</summary>
    /// <param name="planned">The planned send time; in a closed loop the actual one.</param>
    /// <param name="sent">When it was sent.</param>
    /// <param name="received">When its reply was complete.</param>
    /// <param name="residenceNs">Residence time at the server, nanoseconds, as the server reports it.</param>
    /// <returns>The residence time that can be: 0 for one that cannot.</returns>
    /// <param name="first">False when an earlier request on its connection was unanswered when it was sent.</param>
    internal long Record(long planned, long sent, long received, long residenceNs, bool first = true)
    {
        long response = (long)((received - planned) * _nsPerTick);
        long service = (long)((received - sent) * _nsPerTick);
        if (service < 0)
        {
            ClockStepsBack++;
        }

        IntervalHistograms active = _active;
        active.Response.Record(response);
        // The peer reports the stamp, by its own clock: it must not exceed the time measured here.
        bool possible = residenceNs >= 0 && residenceNs <= (Math.Max(service, 0) * ClockDrift) + ClockGrainNs;
        ImpossibleStamps += possible ? 0 : 1;
        long residence = possible ? Math.Min(residenceNs, Math.Max(service, 0)) : 0;
        ResidenceNs += residence;
        active.Transport.Record(service - residence);
        if (active.Service is { } services)
        {
            services.Record(service);
            active.Lateness!.Record((long)((sent - planned) * _nsPerTick));
            if (first)
            {
                active.First!.Record(service - residence);
            }
        }

        if (_firstCount < _first.Length)
        {
            _first[_firstCount++] = Math.Max(response, 0);
        }

        if (_swapAsked)
        {
            Swap();
        }

        return residence;
    }

    /// <summary>Adds what was recorded since the last collection to the totals and asks the writer for the next set.</summary>
    internal void Collect(IntervalHistograms interval)
    {
        if (Volatile.Read(ref _finished) is { } finished)
        {
            finished.AddTo(interval);
            finished.Reset();
            _finished = null;
            Volatile.Write(ref _spare, finished);
        }

        if (Volatile.Read(ref _spare) is not null)
        {
            _swapAsked = true;
        }
    }

    /// <summary>Adds everything left; only after the writing thread has ended.</summary>
    internal void CollectRest(IntervalHistograms interval)
    {
        _finished?.AddTo(interval);
        _active.AddTo(interval);
        _finished = null;
        _active.Reset();
    }

    private void Swap()
    {
        _swapAsked = false;
        if (Volatile.Read(ref _spare) is not { } spare)
        {
            // The collector asked twice while the first swap was under way; it asks again once it has given a set back.
            return;
        }

        IntervalHistograms full = _active;
        _active = spare;
        _spare = null;
        Volatile.Write(ref _finished, full);
    }
}

/// <summary>What one thread records between two collections.</summary>
internal sealed class IntervalHistograms(bool openLoop)
{
    /// <summary>Planned send time to last byte of the reply.</summary>
    internal LatencyHistogram Response { get; } = new();

    /// <summary>Actual send time to last byte of the reply, minus the server's residence time: the path and both TCP stacks.</summary>
    internal LatencyHistogram Transport { get; } = new();

    /// <summary>Actual send time to last byte of the reply; null in a closed loop, where it equals the response time.</summary>
    internal LatencyHistogram? Service { get; } = openLoop ? new() : null;

    /// <summary>Planned to actual send time; null in a closed loop.</summary>
    internal LatencyHistogram? Lateness { get; } = openLoop ? new() : null;

    /// <summary>Transport times of requests that were sent while nothing was unanswered on their connection; null in a closed loop: all of them.</summary>
    internal LatencyHistogram? First { get; } = openLoop ? new() : null;

    internal void AddTo(IntervalHistograms total)
    {
        total.Response.Add(Response);
        total.Transport.Add(Transport);
        if (Service is not null)
        {
            total.Service!.Add(Service);
            total.Lateness!.Add(Lateness!);
            total.First!.Add(First!);
        }
    }

    internal void Reset()
    {
        Response.Reset();
        Transport.Reset();
        Service?.Reset();
        Lateness?.Reset();
        First?.Reset();
    }
}
