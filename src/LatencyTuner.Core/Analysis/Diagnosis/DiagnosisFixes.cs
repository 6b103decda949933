using System.ComponentModel.DataAnnotations;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Measurement.Experiments;

namespace LatencyTuner.Core.Analysis.Diagnosis;

/// <summary>The remedies with the effect they had in the experiment, best first; between equals the cheaper.</summary>
internal static class DiagnosisFixes
{
    internal static IEnumerable<DiagnosisFix> Of(SplitDirection direction, DirectionJudgement judgement, CurePrediction? prediction)
    {
        if (judgement.Verdict.Cause is Cause.None or Cause.CannotTell || direction.Split is not { } split)
        {
            return [];
        }

        string suffix = direction.Sender == Side.Client ? "" : "-reply";
        List<DiagnosisFix> fixes = [];
        Add(
            "one-write", direction.OneWrite, direction.InWords(CureCatalogue.OneWrite.Title),
            $"{direction.SenderName} application", null);
        // What is predicted rests on the requests in one write: only another fix can confirm it.
        CurePrediction? independent = judgement.Verdict.Cause == Cause.DelayedAck ? null : prediction;
        Add(
            "no-delay", direction.NoDelay, direction.InWords(CureCatalogue.NoDelay.Title), $"{direction.SenderName} application",
            "Each piece becomes a packet of its own.", independent);
        if (direction.ReceiverAckWorks)
        {
            Add(
                "ack-immediate",
                direction.ReceiverAck,
                $"Let the {direction.ReceiverName} acknowledge every segment (Windows: SIO_TCP_SET_ACK_FREQUENCY 1 in its application, or "
                + "TcpAckFrequency 1 on its interface).",
                $"{direction.ReceiverName} socket or host",
                "For applications that cannot be changed: more ACK packets, and the second write still waits one round trip.");
        }

        // Effects that differ by less than the difference in price are equal here: then a line of code comes before a change to another host.
        return fixes.OrderByDescending(f => (f.Saves ?? -1) - CureCatalogue.MeasuredBy(f.Id).Price);

        void Add(string id, CellResult? cell, string what, string where, string? note, CurePrediction? predicted = null)
        {
            if (cell is not { Response.Count: > 0 })
            {
                return;
            }

            double before = split.Response.ValueAtPercentile(50);
            double after = cell.Response.ValueAtPercentile(50);
            double saves = before > 0 ? Math.Clamp((before - after) / before, -1, 1) : 0;
            fixes.Add(new DiagnosisFix
            {
                Id = id + suffix,
                What = what,
                Where = where,
                P50UsBefore = before / 1e3,
                P50UsAfter = after / 1e3,
                P99UsAfter = cell.Response.Count >= 368 ? cell.Response.ValueAtPercentile(99) / 1e3 : null,
                P50UsPredicted = predicted?.P50AfterUs,
                P99UsPredicted = predicted?.P99AfterUs,
                Saves = saves,
                N = cell.Response.Count,
                Note = saves < 0.1 ? "It had no effect here." : note,
            });
        }
    }
}

/// <summary>A remedy with the effect it had in this experiment.</summary>
public sealed record DiagnosisFix
{
    /// <summary>Stable id: <c>one-write</c>, <c>no-delay</c>, <c>ack-immediate</c>, with <c>-reply</c> for the server's writes.</summary>
    public required string Id { get; init; }

    /// <summary>What to change, a sentence.</summary>
    public required string What { get; init; }

    /// <summary>Where: <c>client application</c>, <c>server application</c>, <c>server socket or host</c> ...</summary>
    public required string Where { get; init; }

    /// <summary>Median before in microseconds.</summary>
    public double? P50UsBefore { get; init; }

    /// <summary>Median after in microseconds.</summary>
    [Required]
    public double? P50UsAfter { get; init; }

    /// <summary>99th percentile after in microseconds; null with too few samples.</summary>
    [Required]
    public double? P99UsAfter { get; init; }

    /// <summary>
    /// The median after as predicted from the stalled requests and those in one write, in microseconds; null where no prediction is independent of the
    /// measured effect.
    /// </summary>
    public double? P50UsPredicted { get; init; }

    /// <summary>The 99th percentile after as predicted, in microseconds; of fewer than 100 stalled requests the slowest one. Null like the median.</summary>
    public double? P99UsPredicted { get; init; }

    /// <summary>Share (0 to 1) of the median that it removed; null when it could not be measured.</summary>
    [Required]
    public double? Saves { get; init; }

    /// <summary>Number of requests measured with it.</summary>
    [Range(0, double.MaxValue)]
    public long N { get; init; }

    /// <summary>Trade-off or limit, a sentence.</summary>
    public string? Note { get; init; }
}
