using LatencyTuner.Core.Measurement.Probes;

namespace LatencyTuner.Core.Measurement.Monitoring;

/// <summary>A target with a thread of its own, since its probe waits itself: asks at planned times, reconnects after failures.</summary>
internal sealed class ThreadedLine(MonitorTarget target, MonitorSchedule schedule, TimeProvider time, CancellationToken cancellation)
{
    private readonly HeldProbe _probe = new(target.Open, cancellation);

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
                    _probe.Open();
                    schedule.Connected(time.GetTimestamp());
                }
                schedule.Sent(time.GetTimestamp());
                _probe.Current!.Exchange();
                schedule.Answered(time.GetTimestamp(), counts: _probe.Current is not PhasedProbe { Reconnected: true });
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
    internal void Interrupt() => _probe.Interrupt();

    internal void Drop() => _probe.Drop();
}
