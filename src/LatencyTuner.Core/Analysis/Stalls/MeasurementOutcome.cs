using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Statistics;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Analysis.Stalls;

/// <summary>What the verdict on a measurement rests on.</summary>
internal sealed record MeasurementOutcome
{
    /// <summary>The target by name.</summary>
    public required string Target { get; init; }

    /// <summary>Number of requests sent.</summary>
    public required long Sent { get; init; }

    /// <summary>Number of requests answered.</summary>
    public required long Received { get; init; }

    /// <summary>False when it ended early.</summary>
    public required bool Complete { get; init; }

    /// <summary>Why it ended early, a sentence; null when it did not.</summary>
    public string? EndedBecause { get; init; }

    /// <summary>True for messages that are not answered one by one.</summary>
    public bool IsOneWay { get; init; }

    /// <summary>Throughput in bytes per second of one-way messages; null for requests with replies.</summary>
    public double? BytesPerSecond { get; init; }

    /// <summary>How long the measurement took, in milliseconds.</summary>
    public required double DurationMs { get; init; }

    /// <summary>Response times.</summary>
    public required LatencyFigures Response { get; init; }

    /// <summary>The findings of the measurement.</summary>
    public required IReadOnlyList<Finding> Findings { get; init; }

    /// <summary>Draws the verdict.</summary>
    /// <param name="gate">What the user lets pass.</param>
    public Verdict Judge(Gate gate)
    {
        ExitCode code = gate.Judge(Findings);
        if (Received == 0)
        {
            return new()
            {
                Word = "NO REPLIES",
                Text = EndedBecause ?? $"{Counted.Were(Sent, "request")} sent to {Target} and none was answered.",
                Result = VerdictKind.Failed,
                Tone = Tone.Bad,
                ExitCode = code,
                NextSteps = [new() { Again = true, Note = "again, when that is cured" }],
            };
        }

        string headline = Headline();
        if (gate.Leading(Findings) is { } worst)
        {
            bool unexplained = worst is { Cause: Cause.EvidenceIncomplete, CostMs: not null };
            return new()
            {
                Word = FindingWords.Of(unexplained ? Cause.CannotTell : worst.Cause).ToUpperInvariant(),
                Text = unexplained ? $"{headline} {Format.Sentence(worst.For[0])}." : $"{headline} {FindingWords.Cost(worst)}",
                Result = unexplained ? VerdictKind.CannotTell : VerdictKind.Stall,
                Tone = worst.Severity switch { Severity.Error => Tone.Bad, Severity.Warning => Tone.Unsure, _ => Tone.Neutral },
                ExitCode = code,
                NextSteps = FollowUp.Of(Target, Findings),
            };
        }

        return new()
        {
            Word = Complete ? "MEASURED" : "INCOMPLETE",
            Text = Complete ? headline : $"{EndedBecause ?? "The measurement ended early."} {headline}",
            Result = !Complete ? VerdictKind.CannotTell : IsOneWay ? VerdictKind.Done : VerdictKind.NoStall,
            Tone = Complete ? Tone.Neutral : Tone.Unsure,
            ExitCode = code,
        };
    }

    private string Headline()
    {
        string percentiles =
            $"{With(Response.P50Us, "p50Us")}, 99th percentile {With(Response.P99Us, "p99Us")}, "
            + Counted.Of(Response.Count, IsOneWay ? "message" : "reply");
        string speed = BytesPerSecond is { } bytes ? $"{Format.Number(bytes / 1e6)} MB/s one way. " : "";
        return IsOneWay
            ? $"{speed}Median of a send {percentiles} in {Format.Ms(DurationMs)}."
            : $"Median {percentiles} in {Format.Ms(DurationMs)}.";
    }

    private string With(double? us, string name)
    {
        IntervalFigures? interval = Response.Intervals.GetValueOrDefault(name);
        if (us is null)
        {
            return interval?.AtLeastUs is { } bound ? $"at least {Format.Us(bound)}" : "unknown (too few samples)";
        }

        return interval is null || IntervalText.Alone(interval) is "" || IntervalText.Alone(interval) == Format.Us(us) ? Format.Us(us)
            : $"{Format.Us(us)} ({IntervalText.Alone(interval)})";
    }
}
