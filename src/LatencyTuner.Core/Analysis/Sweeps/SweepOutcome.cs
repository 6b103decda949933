using LatencyTuner.Core.Findings;

namespace LatencyTuner.Core.Analysis.Sweeps;

/// <summary>What the verdict on a sweep rests on.</summary>
internal sealed record SweepOutcome
{
    /// <summary>From the median of the first point to that of the last, a sentence; null when nothing was measured.</summary>
    public required string? Range { get; init; }

    /// <summary>The value at which, and below which, the cost degrades, for example <c>128 KiB</c>; null when it does not.</summary>
    public string? DegradesAt { get; init; }

    /// <summary>Where the cost degrades, a sentence; null when it does not.</summary>
    public string? Degrades { get; init; }

    /// <summary>True for a sweep of rates, where a load inversion is the result at any severity.</summary>
    public bool IsOfRates { get; init; }

    /// <summary>False when it ended early.</summary>
    public required bool Complete { get; init; }

    /// <summary>Why it ended early, a sentence; null when it did not.</summary>
    public string? EndedBecause { get; init; }

    /// <summary>The findings of the sweep.</summary>
    public required IReadOnlyList<Finding> Findings { get; init; }

    /// <summary>Draws the verdict.</summary>
    /// <param name="gate">What the user lets pass.</param>
    public Verdict Judge(Gate gate)
    {
        ExitCode code = gate.Judge(Findings);
        if (Range is null)
        {
            return new()
            {
                Word = "NOTHING MEASURED",
                Text = EndedBecause ?? "No point was measured.",
                Result = VerdictKind.CannotTell,
                Tone = Tone.Unsure,
                ExitCode = code,
            };
        }

        if (Findings.WorstFirst().FirstOrDefault() is { } worst
            && (worst.Severity >= Severity.Warning || (worst.Cause == Cause.LoadInversion && IsOfRates)))
        {
            return new()
            {
                Word = FindingWords.Of(worst.Cause).ToUpperInvariant(),
                Text = worst.For.Count > 0 ? worst.For[0] : Range,
                Result = VerdictKind.Stall,
                Tone = worst.Severity switch { Severity.Error => Tone.Bad, Severity.Warning => Tone.Unsure, _ => Tone.Neutral },
                ExitCode = code,
                NextSteps = NextStep.Recommend("sweep.json"),
            };
        }

        if (!Complete)
        {
            return new()
            {
                Word = "INCOMPLETE",
                Text = $"{EndedBecause} {Range}".TrimStart(),
                Result = VerdictKind.CannotTell,
                Tone = Tone.Unsure,
                ExitCode = code,
            };
        }

        return new()
        {
            Word = DegradesAt is null ? "MEASURED" : $"DEGRADES AT {DegradesAt} AND BELOW",
            Text = DegradesAt is null ? Range : Degrades ?? Range,
            Result = VerdictKind.Done,
            Tone = Tone.Neutral,
            ExitCode = code,
        };
    }
}
