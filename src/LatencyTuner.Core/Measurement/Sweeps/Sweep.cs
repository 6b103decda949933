using LatencyTuner.Core.Measurement.Loops;

namespace LatencyTuner.Core.Measurement.Sweeps;

/// <summary>
/// Every point in every round, in random order and on new connections, so that drift of the machine or the path meets all points alike.
/// </summary>
public static class Sweep
{
    /// <summary>So many points that fail one after the other are no longer taken for faults of the points.</summary>
    private const int FailuresInARow = 2;

    /// <summary>Runs it. A failure after the first point gives a partial result.</summary>
    /// <param name="target">The responder.</param>
    /// <param name="plan">How to run.</param>
    /// <param name="context">Clock, platform, randomness.</param>
    /// <param name="log">Keeps each finished round, and knows those of an interrupted run; null keeps nothing.</param>
    /// <param name="cancellation">Ends it early; the result is then marked.</param>
    /// <param name="progress">Told how far it is.</param>
    /// <exception cref="ExpectedFailureException">The responder could not be reached, refused, or is none.</exception>
    public static SweepResult Run(
        MeasurementTarget target, SweepPlan plan, MeasuringContext context, SweepLog? log, CancellationToken cancellation,
        IProgress<MeasurementProgress>? progress = null)
    {
        ArgumentNullException.ThrowIfNull(context);
        PathDrain drain = new(target, context);
        SweepRound Measure(SweepCell cell)
        {
            if (cell.Streams is { } streams)
            {
                return StreamRound.Run(target, cell, streams, context, cancellation);
            }

            // Load that waits for its replies leaves nothing behind.
            (TimeSpan waited, bool quiet) = cell.Plan.Workload.Pattern == WritePattern.Stream ? drain.Wait(cancellation) : (TimeSpan.Zero, true);
            return SweepRound.Of(PingPong.Run(target, cell.Plan, context, cancellation)) with { Drain = waited, Quiet = quiet };
        }

        return Run(target, plan, Measure, log, context.Time, cancellation, progress);
    }

    /// <summary>The order, the rounds and the failures, whatever does the measuring.</summary>
    internal static SweepResult Run(
        MeasurementTarget target, SweepPlan plan, Func<SweepCell, SweepRound> measure, SweepLog? log, TimeProvider time, CancellationToken cancellation,
        IProgress<MeasurementProgress>? progress = null)
    {
        DateTimeOffset started = time.GetUtcNow();
        SweepRound?[][] rounds = [.. plan.Cells.Select(_ => new SweepRound?[plan.Rounds])];
        string?[] failures = new string?[plan.Cells.Count];
        int resumed = 0;
        foreach ((int cell, int round, SweepRound kept) in log?.Kept ?? [])
        {
            rounds[cell][round] = kept;
            resumed++;
        }

        string? ended = null;
        bool cancelled = false;
        int inARow = 0;
        foreach ((int index, int round, int place) in Order(plan))
        {
            if (ended is not null || cancelled)
            {
                break;
            }

            if (rounds[index][round] is not null || failures[index] is not null)
            {
                continue;
            }

            SweepCell cell = plan.Cells[index];
            progress?.Report(
                new MeasurementProgress(place / (double)(plan.Rounds * plan.Cells.Count), $"{SweepText.Of(cell)}, round {round + 1} of {plan.Rounds}"));
            string? failure;
            try
            {
                SweepRound result = measure(cell with { Plan = cell.Plan with { Seed = plan.Seed + (round * 7919) + index } });
                (failure, cancelled) = (result.EndedBecause, result.Cancelled);
                rounds[index][round] = result.Response.Count > 0 ? result : null;
                if (failure is null && !cancelled)
                {
                    ended = Keep(log, index, round, result);
                }
            }
            catch (ExpectedFailureException e) when (Goes(e, plan, rounds, inARow))
            {
                failure = e.Message;
            }

            inARow = failure is null ? 0 : inARow + 1;
            if (failure is not null && plan.PointsMayFail && inARow < FailuresInARow)
            {
                failures[index] = failure;
            }
            else
            {
                ended ??= failure;
            }
        }

        return new SweepResult(
            target, plan, started, [.. plan.Cells.Select((c, i) => new SweepPointResult(c, [.. rounds[i].OfType<SweepRound>()], failures[i]))], ended,
            cancelled, resumed);
    }

    /// <summary>Each point in each round with its place in the whole. The same seed gives the same order, so that a resumed run goes on in it.</summary>
    internal static IEnumerable<(int Cell, int Round, int Place)> Order(SweepPlan plan)
    {
        Random random = new(plan.Seed);
        int[] indices = [.. Enumerable.Range(0, plan.Cells.Count)];
        for (int round = 0; round < plan.Rounds; round++)
        {
            random.Shuffle(indices);
            for (int i = 0; i < indices.Length; i++)
            {
                yield return (indices[i], round, (round * indices.Length) + i);
            }
        }
    }

    /// <summary>Without any number there is nothing to report but the failure, unless another point may still be measured.</summary>
    private static bool Goes(ExpectedFailureException failure, SweepPlan plan, SweepRound?[][] rounds, int inARow) =>
        rounds.Any(r => r.Any(x => x is not null))
        || (plan.PointsMayFail && plan.Cells.Count > 1 && failure.Code == ExitCode.Measurement && inARow + 1 < FailuresInARow);

    private static string? Keep(SweepLog? log, int cell, int round, SweepRound result)
    {
        try
        {
            log?.Append(cell, round, result);
            return null;
        }
        catch (IOException e)
        {
            return $"The state file could not be written: {e.Message.TrimEnd('.')}.";
        }
    }
}
