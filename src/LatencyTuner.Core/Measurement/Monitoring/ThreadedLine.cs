using LatencyTuner.Core.Measurement.Loops;
using LatencyTuner.Core.Measurement.Probes;

namespace LatencyTuner.Core.Measurement.Monitoring;

/// <summary>A target with a thread of its own, since its probe waits itself: asks at planned times, reconnects after failures.</summary>
internal sealed class ThreadedLine(MonitorTarget target, MonitorSchedule schedule, TimeProvider time, CancellationToken cancellation)
{
    /// <summary>Connections that the server closed in a row after which it is one that keeps none: then its answers count, connect included.</summary>
    private const int KeepsNone = 2;

    private readonly HeldProbe _probe = new(target.Open, cancellation);
    private bool _warm;
    private int _closed;

    /// <summary>Runs until it is cancelled.</summary>
    internal void Run()
    {
        while (SteadyWait.Until(schedule.Next, time, cancellation))
        {
            long began = time.GetTimestamp();
            schedule.Take(began);
            if (_probe.Current is null && began < schedule.RetryAt)
            {
                schedule.Miss();
                continue;
            }
            try
            {
                if (_probe.Current is null)
                {
                    MonitorProbe opened = _probe.Open();
                    // The very first is slow by what this program loads for it, which is not the target's.
                    if (!_warm)
                    {
                        _warm = true;
                        opened.Exchange();
                    }
                    schedule.Connected(time.GetTimestamp());
                }
                schedule.Sent(time.GetTimestamp());
                _probe.Current!.Exchange();
                _closed = _probe.Current is PhasedProbe { Reconnected: true } ? _closed + 1 : 0;
                schedule.Answered(time.GetTimestamp(), counts: _closed is 0 or >= KeepsNone);
            }
            catch (Exception e) when (e is PeerFailureException or ExpectedFailureException)
            {
                if (cancellation.IsCancellationRequested)
                {
                    return;
                }

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
    internal void Interrupt() => _probe.Interrupt();

    internal void Drop() => _probe.Drop();
}
