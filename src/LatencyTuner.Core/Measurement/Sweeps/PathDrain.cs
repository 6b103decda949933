using LatencyTuner.Core.Measurement.Loops;

namespace LatencyTuner.Core.Measurement.Sweeps;

/// <summary>
/// Waits until the path is quiet before a point is measured: data that one point left in queues on the path, unneeded retransmissions
/// included, would count against the next point.
/// </summary>
/// <param name="target">The responder.</param>
/// <param name="context">Clock, platform, randomness.</param>
internal sealed class PathDrain(MeasurementTarget target, MeasuringContext context)
{
    private const int Exchanges = 3;
    private const long PauseNs = 20_000_000;
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(10);
    private static readonly TimeSpan Grain = TimeSpan.FromMilliseconds(2);
    private static readonly MeasurementPlan Probe = new()
    {
        Workload = new Workload { NoDelay = true, PeerNoDelay = true },
        Duration = null,
        Count = Exchanges,
        Warmup = TimeSpan.Zero,
        ReplyTimeout = TimeSpan.FromSeconds(2),
    };

    private TimeSpan? _quiet;

    /// <summary>Waits until the path is quiet; the first call learns the response time of the quiet path.</summary>
    /// <param name="cancellation">Ends the wait.</param>
    /// <returns>How long it took, and whether the path is quiet.</returns>
    internal (TimeSpan Waited, bool Quiet) Wait(CancellationToken cancellation)
    {
        long start = context.Time.GetTimestamp();
        while (true)
        {
            TimeSpan? exchange = Shortest(cancellation);
            TimeSpan waited = context.Time.GetElapsedTime(start);
            if (exchange is { } now && (_quiet is null || now <= (2 * _quiet) + Grain))
            {
                _quiet = _quiet is { } before && before < now ? before : now;
                return (waited, true);
            }

            if (waited > Patience || cancellation.IsCancellationRequested)
            {
                return (waited, false);
            }

            context.Platform.Wait([], [], PauseNs);
        }
    }

    private TimeSpan? Shortest(CancellationToken cancellation)
    {
        try
        {
            MeasurementResult result = PingPong.Run(target, Probe, context, cancellation);
            return result.Response.Count > 0 ? TimeSpan.FromMicroseconds(result.Response.MinNs / 1e3) : null;
        }
        catch (ExpectedFailureException)
        {
            // The measurement of the point reports the problem with the target.
            return null;
        }
    }
}
