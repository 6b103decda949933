using LatencyTuner.Core.Analysis.Hedging;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Statistics;

namespace LatencyTuner.Core.Analysis.Probes;

/// <summary>What one target answered in one way of asking.</summary>
/// <param name="Name">The target by name.</param>
/// <param name="Kind">Protocol and kind of connection, for example <c>http/1.1, new connections</c>.</param>
/// <param name="Answered">Requests answered on a connection of the kind that was asked for.</param>
/// <param name="Reconnected">Requests answered on a connection that the server did not keep.</param>
/// <param name="Errors">Requests that failed.</param>
/// <param name="Phase">The part of the exchange whose median stands for it, for example <c>first byte</c>; null without answers.</param>
/// <param name="P50Us">The median of that part, microseconds; null with too few samples.</param>
/// <param name="P50">The interval of the median.</param>
internal sealed record ProbedTarget(
    string Name, string Kind, long Answered, long Reconnected, long Errors, string? Phase = null, double? P50Us = null, IntervalFigures? P50 = null);

/// <summary>What the verdict on several targets or protocols rests on.</summary>
/// <param name="Targets">The targets, with an entry for each way in which a target was asked.</param>
/// <param name="Complete">False when it ended early.</param>
/// <param name="Hedge">Whether a second server helps; null where that was not measured.</param>
internal sealed record ProbesOutcome(IReadOnlyList<ProbedTarget> Targets, bool Complete, HedgeJudgement? Hedge)
{
    /// <summary>Draws the verdict: a target that never answered comes first.</summary>
    public Verdict Judge()
    {
        ExitCode code = Code();
        ProbedTarget[] silent = [.. Targets.Where(t => t.Answered == 0 && t.Reconnected == 0 && (Complete || t.Errors > 0))];
        string medians = Medians();
        if (silent.Length > 0)
        {
            string who = string.Join(", ", silent.Select(t => $"{t.Name} ({t.Kind})").Distinct());
            return new()
            {
                Word = "NO ANSWER",
                Text = $"{who} never answered. {medians}".TrimEnd(),
                Result = VerdictKind.Failed,
                Tone = Tone.Bad,
                ExitCode = code,
            };
        }

        if (Complete && Targets.All(t => t.Answered == 0))
        {
            return new()
            {
                Word = "NOT KEPT",
                Text = $"{string.Join(", ", Targets.Select(t => t.Name).Distinct())} answers, but keeps no connection open. Measure it with "
                    + "--http-connections new.",
                Result = VerdictKind.Failed,
                Tone = Tone.Bad,
                ExitCode = code,
            };
        }

        if (Complete && Hedge is not null)
        {
            return Hedge.InWords(code);
        }

        return Complete
            ? new() { Word = "MEASURED", Text = medians, Result = VerdictKind.Done, Tone = Tone.Neutral, ExitCode = code }
            : new()
            {
                Word = "INCOMPLETE",
                Text = $"The measurement was cancelled. {medians}".TrimEnd(),
                Result = VerdictKind.CannotTell,
                Tone = Tone.Unsure,
                ExitCode = code,
            };
    }

    /// <summary>True when a target answered in this way of asking, or keeps no connection open and answered in another way.</summary>
    /// <param name="target">One of <see cref="Targets"/>.</param>
    public bool Answers(ProbedTarget target) =>
        target.Answered > 0 || (target.Reconnected > 0 && Targets.Any(o => o.Answered > 0 && o.Name == target.Name));

    private ExitCode Code() =>
        !Complete ? ExitCode.Cancelled
        : Targets.All(Answers) ? ExitCode.Done
        : ExitCode.Measurement;

    private string Medians()
    {
        string[] medians =
        [
            .. Targets.Where(t => t.Answered > 0).Select(t =>
            {
                bool twice = Targets.Count(o => o.Kind == t.Kind) > 1;
                return $"{(twice ? $"{t.Name} ({t.Kind})" : t.Kind)} {t.Phase} {IntervalText.FigureOrBound(t.P50Us, t.P50)}";
            }),
        ];
        return medians.Length > 0 ? $"Medians: {string.Join("; ", medians)}." : "";
    }
}
