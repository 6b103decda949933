namespace LatencyTuner.Core.Measurement;

/// <summary>Latency over the request rate: interleaved rounds in random order, so that drift does not look like load.</summary>
public static class RateSweep
{
    /// <summary>Runs it. A failure after the first point gives a partial result.</summary>
    /// <param name="target">The responder.</param>
    /// <param name="plan">How to run.</param>
    /// <param name="context">Clock, platform, randomness.</param>
    /// <param name="cancellation">Ends it early; the result is then marked.</param>
    /// <param name="progress">Told how far it is.</param>
    /// <exception cref="ExpectedFailureException">The responder could not be reached, refused, or is none.</exception>
    public static RateSweepResult Run(
        MeasurementTarget target, RateSweepPlan plan, MeasuringContext context, CancellationToken cancellation, IProgress<MeasurementProgress>? progress = null)
    {
        DateTimeOffset started = context.Time.GetUtcNow();
        List<MeasurementResult>[] results = [.. plan.Rates.Select(_ => new List<MeasurementResult>())];
        Random order = new(plan.Seed);
        int[] indices = [.. Enumerable.Range(0, plan.Rates.Count)];
        string? ended = null;
        bool cancelled = false;
        for (int round = 0; round < plan.Rounds && ended is null && !cancelled; round++)
        {
            order.Shuffle(indices);
            for (int i = 0; i < indices.Length && ended is null && !cancelled; i++)
            {
                double rate = plan.Rates[indices[i]];
                progress?.Report(new MeasurementProgress(
                    ((round * indices.Length) + i) / (double)(plan.Rounds * indices.Length), $"{rate:N0} requests/s, round {round + 1} of {plan.Rounds}"));
                MeasurementPlan point = plan.Base with
                {
                    RatePerSecond = rate,
                    Duration = plan.PointTime,
                    Count = null,
                    Runs = 1,
                    Seed = plan.Seed + (round * 7919) + indices[i],
                };
                try
                {
                    MeasurementResult result = PingPong.Run(target, point, context, cancellation);
                    ended = result.EndedBecause;
                    cancelled = result.Cancelled;
                    if (result.Received > 0)
                    {
                        results[indices[i]].Add(result);
                    }
                }
                catch (ExpectedFailureException e) when (results.Any(r => r.Count > 0))
                {
                    ended = e.Message;
                }
            }
        }

        RatePoint[] points = [.. plan.Rates.Select((rate, i) => new RatePoint(rate, results[i])).Where(p => p.Rounds.Count > 0)];
        return new RateSweepResult(target, plan, started, points, ended, cancelled);
    }
}
