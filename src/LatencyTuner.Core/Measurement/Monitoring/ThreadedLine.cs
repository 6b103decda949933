using LatencyTuner.Core.Measurement.Probes;

namespace LatencyTuner.Core.Measurement.Monitoring;

/// <summary>A target with a thread of its own, since its probe waits itself: asks at planned times, reconnects after failures.</summary>
internal sealed class ThreadedLine(MonitorTarget target, MonitorSchedule schedule, TimeProvider time, CancellationToken cancellation)
{
    private readonly object _gate = new();
    private MonitorProbe? _probe;

    /// <summary>Runs until it is cancelled.</summary>
    internal void Run()
    {
        while (Wait(schedule.Next))
        {
            long began = time.GetTimestamp();
            schedule.Take(began);
            if (_probe is null && began < schedule.RetryAt)
            {
                schedule.Miss();
                continue;
            }
            try
            {
                if (_probe is null)
                {
                    Connect();
                    schedule.Connected(time.GetTimestamp());
                }
                schedule.Sent(time.GetTimestamp());
                _probe!.Exchange();
                schedule.Answered(time.GetTimestamp(), counts: _probe is not PhasedProbe { Reconnected: true });
            }
            catch (Exception e) when (e is PeerFailureException or ExpectedFailureException)
            {
                if (cancellation.IsCancellationRequested)
                    return;
                Drop();
                schedule.Failed(began, time.GetTimestamp(), e.Message);
            }
            catch (OperationCanceledException)
            {
                return;
            }
        }
    }

    /// <summary>Makes the thread return soon, after the cancellation.</summary>
    internal void Interrupt()
    {
        lock (_gate)
        {
            _probe?.Interrupt();
        }
    }

    internal void Drop()
    {
        lock (_gate)
        {
            _probe?.Dispose();
            _probe = null;
        }
    }

    private void Connect()
    {
        MonitorProbe opened = target.Open(cancellation);
        lock (_gate)
        {
            _probe = opened;
        }
    }

    /// <summary>Waits until a time of the steady clock; false when cancelled.</summary>
    private bool Wait(long until)
    {
        while (true)
        {
            if (cancellation.IsCancellationRequested)
                return false;
            double left = (until - time.GetTimestamp()) / (double)time.TimestampFrequency;
            if (left <= 0)
                return true;
            cancellation.WaitHandle.WaitOne(TimeSpan.FromSeconds(Math.Min(left + 0.0005, 60)));
        }
    }
}
