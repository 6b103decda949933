using System.Globalization;
using LatencyTuner.Core.Analysis.Loads;
using LatencyTuner.Core.Measurement.Load;
using LatencyTuner.Core.Statistics;

namespace LatencyTuner.Core.Reporting.UnderLoad;

/// <summary>What the reader must know about the numbers of a measurement under load.</summary>
internal static class UnderLoadNotes
{
    private const double Drift = 1.25;
    private const double FullMachine = 0.9;

    internal static IEnumerable<string> Of(UnderLoadResult result, IReadOnlyList<LoadJudgement> judgements)
    {
        yield return "The timed requests share one connection that carries no load. Separate queues for each connection (FQ-CoDel, CAKE) may hide from "
            + "them the delay of the loading connections.";
        LoadPhase[] idle = [.. result.Phases.Where(p => p.Load.Count == 0 && p.ResponsesNs.Count > 0)];
        if (idle.Length > 1)
        {
            long[] medians = [.. idle.Select(p => BlockBootstrap.At((long[])[.. p.ResponsesNs.Order()], 0.5))];
            if (medians.Max() > Drift * medians.Min() && medians.Max() - medians.Min() > 1_000_000)
            {
                yield return "The idle phases differ from each other (medians "
                    + $"{string.Join(", ", medians.Select(m => (m / 1e6).ToString("0.0", CultureInfo.InvariantCulture)))} ms): the path changes over time, or "
                    + "other traffic used it before this load started.";
            }
        }

        if (judgements.Any(j => j.LimitedBy == LoadLimit.NoPath))
        {
            yield return "Loopback is this machine alone: both ends share its processors, and no network path was tested.";
        }
        else if (result.Phases.Any(p => p.Client.MachineBusyShare >= FullMachine))
        {
            yield return "In some phase, this machine's processors were nearly all busy: part of the measured times is this machine's delay.";
        }

        if (result.Phases.Any(p => p.Load.Any(s => s.Up && s.Sender.Any(c => c.End.AckedBytes is null))))
        {
            yield return "This system does not report which bytes were acknowledged: the throughput to the responder counts the bytes handed to the system.";
        }

        if (result.Phases.Any(p => p.Load.Count > 0 && p.Load.All(s => s.Server is null)))
        {
            yield return "The responder did not report the load of its machine (an older release, or the connection broke): it is unknown whether its "
                + "processors limited the load.";
        }
    }
}
