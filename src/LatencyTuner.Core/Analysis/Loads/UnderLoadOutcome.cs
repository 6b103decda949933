using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Statistics;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Analysis.Loads;

/// <summary>What the verdict on latency under load rests on.</summary>
internal sealed record UnderLoadOutcome
{
    /// <summary>Requests answered under load.</summary>
    public required long Loaded { get; init; }

    /// <summary>False when it ended early.</summary>
    public required bool Complete { get; init; }

    /// <summary>Why it ended early, a sentence; null when it did not.</summary>
    public string? EndedBecause { get; init; }

    /// <summary>The bufferbloat grade, or why there is none.</summary>
    public required BufferbloatGrade Bufferbloat { get; init; }

    /// <summary>By how much the 90th percentile rises, microseconds; null with too few samples.</summary>
    public double? AddedP90Us { get; init; }

    /// <summary>The 95 % interval of that rise.</summary>
    public IntervalFigures? AddedP90 { get; init; }

    /// <summary>Round trips per minute under load; null with too few samples.</summary>
    public double? LoadedRpm { get; init; }

    /// <summary>Round trips per minute without load; null with too few samples.</summary>
    public double? IdleRpm { get; init; }

    /// <summary>The findings of the measurement.</summary>
    public required IReadOnlyList<Finding> Findings { get; init; }

    /// <summary>Draws the verdict.</summary>
    /// <param name="gate">What the user lets pass.</param>
    public Verdict Judge(Gate gate)
    {
        ExitCode code = gate.Judge(Findings);
        if (Loaded == 0)
        {
            return new()
            {
                Word = "INCOMPLETE",
                Text = EndedBecause ?? "No request was answered under load.",
                Result = VerdictKind.CannotTell,
                Tone = Tone.Unsure,
                ExitCode = code,
            };
        }

        string added = AddedP90Us is { } more ? $"Under load the 90th percentile rises by {IntervalText.Added(more, AddedP90)}"
            : "Too few requests for the 90th percentile";
        string trips = (LoadedRpm, IdleRpm) is ({ } loaded, { } idle)
            ? $"; {Counted.Of((long)Math.Round(loaded), "round trip")} per minute, {Format.Count((long)Math.Round(idle))} idle." : ".";
        string early = Complete ? "" : $"{EndedBecause} ";
        if (Bufferbloat.Grade is not { } grade)
        {
            return new()
            {
                Word = "NOT GRADED",
                Text = $"{early}{Bufferbloat.Because} {added}{trips}",
                Result = VerdictKind.CannotTell,
                Tone = Tone.Unsure,
                ExitCode = code,
            };
        }

        string range = Bufferbloat.Low == Bufferbloat.High ? "" : $" ({Bufferbloat.Low} to {Bufferbloat.High})";
        return new()
        {
            Word = $"BUFFERBLOAT {grade}",
            Text = $"{early}{added}{range}{trips}",
            Result = Findings.Any(f => f.Severity >= Severity.Warning) ? VerdictKind.Stall : VerdictKind.NoStall,
            Tone = grade switch { "A+" or "A" or "B" => Tone.Good, "C" => Tone.Unsure, _ => Tone.Bad },
            ExitCode = code,
            NextSteps = Findings.Any(f => f.Severity >= Severity.Warning) ? NextStep.Recommend("under-load.json") : [],
        };
    }
}
