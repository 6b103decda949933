using LatencyTuner.Core.Measurement.Loops;
using LatencyTuner.Core.Measurement.Probes;

namespace LatencyTuner.Core.Measurement.Monitoring;

/// <summary>A target with a thread of its own, since its probe blocks: asks at planned times, reconnects after failures.</summary>
internal sealed class ThreadedLine(MonitorTarget target, MonitorSchedule schedule, TimeProvider time, CancellationToken cancellation)
{
    /// <summary>After the server closed this many connections in a row, it counts as one that keeps none: its times then include the connect.</summary>
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
                    // The first exchange is slow because this program loads code for it: that time is not the target's.
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
            catch (OperationCanceledException)
            {
                return;
            }
            catch (Exception e)
            {
                // Whatever happens to one target, the others are asked for weeks to come.
                if (cancellation.IsCancellationRequested)
                {
                    return;
                }

                Drop();
                schedule.Failed(began, time.GetTimestamp(), ProbeErrors.Told(target.Name, e));
            }
        }
    }

    /// <summary>Makes the thread return soon, after the cancellation.</summary>
    internal void Interrupt() => _probe.Interrupt();

    internal void Drop() => _probe.Drop();
}
