using LatencyTuner.Core.Measurement.Loops;

namespace LatencyTuner.Core.Measurement.Sweeps;

/// <summary>
/// Every point in every round, in random order and on new connections, so that drift of the machine or the path affects all points equally.
/// </summary>
public static class Sweep
{
    /// <summary>After this many failed points in a row, the points are no longer taken as the cause.</summary>
    private const int FailuresInARow = 2;

    /// <summary>Runs the sweep. A failure after the first point gives a partial result.</summary>
    /// <param name="target">The responder.</param>
    /// <param name="plan">The settings of the run.</param>
    /// <param name="context">Clock, platform, randomness.</param>
    /// <param name="log">Keeps each finished round, and has those of an interrupted run; null keeps nothing.</param>
    /// <param name="cancellation">Ends the run early; the result then says so.</param>
    /// <param name="progress">Receives the progress; null for none.</param>
    /// <exception cref="ExpectedFailureException">The responder could not be reached, refused the client, or is not a latencytuner responder.</exception>
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

            // Load that waits for its replies leaves no data on the path.
            (TimeSpan waited, bool quiet) = cell.Plan.Workload.Pattern == WritePattern.Stream ? drain.Wait(cancellation) : (TimeSpan.Zero, true);
            return SweepRound.Of(PingPong.Run(target, cell.Plan, context, cancellation)) with { Drain = waited, Quiet = quiet };
        }

        return Run(target, plan, Measure, log, context.Time, cancellation, progress);
    }

    /// <summary>The order, the rounds and the failures, with any measuring function.</summary>
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

    /// <summary>Each point in each round with its place in the sweep. The same seed gives the same order, so that a resumed run continues in it.</summary>
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

    /// <summary>Whether the sweep continues: without any measured value, the failure is the only result, unless another point may still work.</summary>
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
