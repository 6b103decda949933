using LatencyTuner.Core.Measurement.Loops;

namespace LatencyTuner.Core.Measurement.Experiments;

/// <summary>
/// The experiment behind <c>diagnose</c>: every cell in every round, in random order and on new connections, so that drift of the machine
/// or the path affects all cells equally.
/// </summary>
public static class Experiment
{
    /// <summary>Runs the experiment. A failure after the first cell gives a partial result.</summary>
    /// <param name="target">The responder.</param>
    /// <param name="plan">The settings of the run.</param>
    /// <param name="context">Clock, platform, randomness.</param>
    /// <param name="cancellation">Ends the run early; the result then says so.</param>
    /// <param name="progress">Receives the progress; null for none.</param>
    /// <exception cref="ExpectedFailureException">The responder could not be reached, refused the client, or is not a latencytuner responder.</exception>
    public static ExperimentResult Run(
        MeasurementTarget target, ExperimentPlan plan, MeasuringContext context, CancellationToken cancellation,
        IProgress<MeasurementProgress>? progress = null)
    {
        ExperimentResult result = new(target, plan, context.Time.GetUtcNow());
        Random order = new(plan.Seed);
        ExperimentCell[] cells = [.. plan.Cells];
        for (int round = 0; round < plan.Rounds && result.Complete; round++)
        {
            order.Shuffle(cells);
            for (int i = 0; i < cells.Length && result.Complete; i++)
            {
                progress?.Report(new MeasurementProgress(
                    ((round * cells.Length) + i) / (double)(plan.Rounds * cells.Length), $"diagnosing {target.Name}, round {round + 1} of {plan.Rounds}"));
                RunCell(result, result[cells[i]]!, PlanOf(plan, cells[i], TimeSpan.Zero), context, cancellation);
            }

            result.Rounds += result.Complete ? 1 : 0;
        }

        ProbeTick(result, plan, context, cancellation, progress);
        return result;
    }

    private static MeasurementPlan PlanOf(ExperimentPlan plan, ExperimentCell cell, TimeSpan pause) => new()
    {
        Workload = new Workload
        {
            Pattern = cell.SplitRequest ? WritePattern.Split : WritePattern.Single,
            Writes = cell.SplitRequest ? Workload.SplitOf(plan.Size, plan.FirstWrite) : [plan.Size],
            ReplySize = plan.ReplySize,
            PeerWrites = cell.SplitReply ? 2 : 1,
            PeerThink = plan.PeerThink,
            NoDelay = cell.NoDelay,
            PeerNoDelay = cell.PeerNoDelay,
            Ack = cell.Ack,
            PeerAck = cell.PeerAck,
            PauseUpTo = pause,
        },
        Duration = plan.CellTime,
        AtLeast = plan.CellAtLeast,
        Warmup = TimeSpan.Zero,
        ReplyTimeout = plan.ReplyTimeout,
        Pin = plan.Pin,
        Seed = plan.Seed,
    };

    private static void RunCell(ExperimentResult result, CellResult cell, MeasurementPlan plan, MeasuringContext context, CancellationToken cancellation)
    {
        try
        {
            MeasurementResult measured = PingPong.Run(result.Target, plan, context, cancellation);
            cell.Add(measured);
            result.EndedBecause ??= measured.EndedBecause;
            result.Cancelled |= measured.Cancelled;
            result.ResponderSoftware ??= measured.ResponderSoftware;
            result.ResponderOs ??= measured.ResponderOs;
            if (measured.ConnectTime is { } connect && !(result.ConnectTime < connect))
            {
                result.ConnectTime = connect;
            }
        }
        catch (ExpectedFailureException e) when (result.Cells.Any(c => c.Response.Count > 0))
        {
            result.EndedBecause = e.Message;
        }
    }

    /// <summary>
    /// Requests without a pause between them arrive in step with a periodic timer and always wait a full tick; only requests at random times
    /// show the spread. Measured only where the delays are long enough for the old 100 ms tick.
    /// </summary>
    private static void ProbeTick(
        ExperimentResult result, ExperimentPlan plan, MeasuringContext context, CancellationToken cancellation, IProgress<MeasurementProgress>? progress)
    {
        const long ShortestTickingHoldNs = 85_000_000;
        CellResult? split = result[ExperimentCell.Split];
        CellResult? without = result[ExperimentCell.SplitNoDelay];
        if (!result.Complete || plan.TickProbes == 0 || split is null || without is null
            || split.Transport.ValueAtPercentile(50) - without.Transport.ValueAtPercentile(50) < ShortestTickingHoldNs)
        {
            return;
        }

        progress?.Report(new MeasurementProgress(1, $"diagnosing {result.Target.Name}, fixed or periodic ACK timer"));
        CellResult probe = new(ExperimentCell.Split);
        MeasurementPlan probePlan = PlanOf(plan, ExperimentCell.Split, TimeSpan.FromMilliseconds(150)) with { Duration = null, Count = plan.TickProbes };
        RunCell(result, probe, probePlan, context, cancellation);
        result.TickProbe = probe;
    }
}
