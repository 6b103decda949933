using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Statistics;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Analysis.Series;

/// <summary>What the verdict on one or more series rests on.</summary>
internal sealed record SeriesOutcome
{
    /// <summary>With fewer bins neither a shift nor an oscillation can be told apart from chance.</summary>
    private const int FewestBins = 40;

    /// <summary>The findings of all series.</summary>
    public required IReadOnlyList<Finding> Findings { get; init; }

    /// <summary>Number of series.</summary>
    public required int Series { get; init; }

    /// <summary>Number of bins with values in the shortest series.</summary>
    public required double FewestBinsWithValues { get; init; }

    /// <summary>False when it ended early.</summary>
    public required bool Complete { get; init; }

    /// <summary>True when a target that was to be watched never answered.</summary>
    public bool AnySilent { get; init; }

    /// <summary>Highest allowed 99th percentile, microseconds; null for none.</summary>
    public double? MaxP99Us { get; init; }

    /// <summary>Each series with its latencies, for <see cref="MaxP99Us"/>.</summary>
    public IReadOnlyList<(string Name, LatencyFigures Latency)> Latencies { get; init; } = [];

    /// <summary>Draws the verdict.</summary>
    /// <param name="gate">What the user lets pass.</param>
    public Verdict Judge(Gate gate)
    {
        (ExitCode code, NextStep[] next) = Code(gate);
        if (Findings.WorstFirst().FirstOrDefault() is { } worst)
        {
            string[] words =
            [
                .. Findings.Any(f => f.Cause == Cause.Oscillation) ? new[] { "OSCILLATES" } : [],
                .. Findings.Any(f => f.Cause == Cause.LevelShift) ? new[] { "SHIFTED" } : [],
            ];
            string who = Series > 1 && worst.Host is { } host ? $"{host}: " : "";
            return new()
            {
                Word = string.Join(", ", words),
                Text = who + (worst.For.Count > 0 ? worst.For[0] : "See the findings."),
                Result = VerdictKind.Stall,
                Tone = worst.Severity switch { Severity.Error => Tone.Bad, Severity.Warning => Tone.Unsure, _ => Tone.Neutral },
                ExitCode = code,
                NextSteps = next,
            };
        }

        if (FewestBinsWithValues < FewestBins)
        {
            return new()
            {
                Word = "TOO SHORT",
                Text = $"The shortest series has {Counted.Of((long)FewestBinsWithValues, "bin")} with values; {FewestBins} are needed to see a shift or an "
                    + "oscillation.",
                Result = VerdictKind.CannotTell,
                Tone = Tone.Unsure,
                ExitCode = code,
                NextSteps = next,
            };
        }

        return new()
        {
            Word = Complete ? "STEADY" : "INCOMPLETE",
            Text = $"No oscillation and no level shift was found{(Complete ? "" : ", but the measurement ended early")}.",
            Result = !Complete ? VerdictKind.CannotTell : MaxP99Us is null ? VerdictKind.NoStall : VerdictKind.Pass,
            Tone = Complete ? Tone.Good : Tone.Unsure,
            ExitCode = code,
            NextSteps = next,
        };
    }

    /// <summary>A limit that no request exceeded is kept, even with few requests; a percentile of too few requests is unknown.</summary>
    private (ExitCode Code, NextStep[] Next) Code(Gate gate)
    {
        ExitCode code = gate.Judge(Findings);
        if (code != ExitCode.Done || AnySilent)
        {
            return (code != ExitCode.Done ? code : ExitCode.Measurement, []);
        }

        if (Latencies.Any(s => s.Latency.P99Us > MaxP99Us))
        {
            return (ExitCode.Finding, []);
        }

        (string? name, LatencyFigures? few) = Latencies.FirstOrDefault(s => s.Latency.P99Us is null && s.Latency.MaxUs > MaxP99Us);
        return few is null ? (ExitCode.Done, [])
            : (ExitCode.CannotTell,
                [new() { Note = $"It is unknown whether {name} keeps --max-p99: {Counted.Of(few.Count, "request")} are too few for a 99th percentile." }]);
    }
}
