using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Statistics;

namespace LatencyTuner.Core.Analysis.Hedging;

/// <summary>One quantile of the faster of two answers, predicted and measured.</summary>
public sealed record HedgeQuantile
{
    /// <summary>The quantile, 0 to 1, for example 0.99.</summary>
    public required double Quantile { get; init; }

    /// <summary>The first server alone, in microseconds; null with too few samples.</summary>
    public double? FirstUs { get; init; }

    /// <summary>Predicted from the two separate series as if both servers were independent, in microseconds.</summary>
    public required double PredictedUs { get; init; }

    /// <summary>95 % bootstrap interval of the prediction.</summary>
    public required IntervalFigures Predicted { get; init; }

    /// <summary>The lowest possible value for any dependence (Fréchet bound), in microseconds.</summary>
    public required double BestUs { get; init; }

    /// <summary>The highest possible value for any dependence (Fréchet bound), in microseconds.</summary>
    public required double WorstUs { get; init; }

    /// <summary>The measured value in microseconds; null with too few samples.</summary>
    public double? MeasuredUs { get; init; }

    /// <summary>95 % interval of the measured value.</summary>
    public IntervalFigures? Measured { get; init; }
}

/// <summary>Whether a second server helps, and what the cause is where it does not.</summary>
/// <param name="Result">
/// The published word: <c>independent</c>, <c>shared</c>, <c>better-than-independent</c>, <c>nothing-to-gain</c> or <c>cannot-tell</c>.
/// </param>
/// <param name="Because">Why, a sentence or two.</param>
internal sealed record HedgeJudgement(string Result, string Because)
{
    // Smaller differences come from the measuring threads, and nobody would act on them.
    private const double LeastUs = 50;
    private const double LeastShare = 0.1;

    /// <summary>The highest quantile that both series support decides: hedging is for the tail.</summary>
    /// <param name="quantiles">In ascending order.</param>
    public static HedgeJudgement From(IReadOnlyList<HedgeQuantile> quantiles)
    {
        HedgeQuantile? tail = quantiles.LastOrDefault(q => q.Quantile > 0.5 && q.Measured?.HighUs is not null);
        if (tail is null)
        {
            return new(
                "cannot-tell",
                $"Too few answers for the tail. The 90th percentile needs at least {Fewest(0.9)} answers of each kind, the 99th {Fewest(0.99)} answers. "
                + "More are needed when successive answers are similar.");
        }

        string name = $"{tail.Quantile * 100:0.#}th percentile";
        double relevant = Math.Max(LeastUs, LeastShare * tail.PredictedUs);
        double off = tail.MeasuredUs!.Value - tail.PredictedUs;
        return -off > relevant && tail.Measured!.HighUs < tail.Predicted.LowUs
                ? new(
                    "better-than-independent",
                    $"The {name} is below what two independent servers would give. Either the two are slow at different moments, or the load changed "
                    + "during the measurement.")
            : tail.FirstUs - tail.PredictedUs <= relevant
                ? new(
                    "nothing-to-gain",
                    $"At the {name} the first server alone is as fast as the faster of two would be. A hedge cannot help there. Higher percentiles need "
                    + "more requests (--count).")
            : off > relevant && tail.Measured!.LowUs > tail.Predicted.HighUs
                ? new(
                    "shared",
                    $"The {name} is above what two independent servers would give. Both servers share the cause of slow requests: this client or the "
                    + "common path. A second server does not cure it.")
            : tail.Measured!.HighUs >= tail.FirstUs
                ? new(
                    "cannot-tell",
                    $"The interval of the {name} reaches from what two independent servers would give to what the first server gives alone. More requests "
                    + "are needed (--count).")
            : new("independent", $"The {name} is what two independent servers would give. Each server has its own slow requests, and the hedge avoids them.");
    }

    /// <summary>The verdict of a run that was not cancelled.</summary>
    /// <param name="code">The exit code.</param>
    public Verdict InWords(ExitCode code)
    {
        (string word, Tone tone) = Result switch
        {
            "independent" => ("HEDGING HELPS AS EXPECTED", Tone.Good),
            "shared" => ("SHARED CAUSE", Tone.Unsure),
            "better-than-independent" => ("BETTER THAN EXPECTED", Tone.Neutral),
            "nothing-to-gain" => ("NOTHING TO GAIN", Tone.Neutral),
            _ => ("CANNOT TELL", Tone.Unsure),
        };
        return new()
        {
            Word = word,
            Text = Because,
            Result = Result == "cannot-tell" ? VerdictKind.CannotTell : VerdictKind.Done,
            Tone = tone,
            ExitCode = code,
        };
    }

    private static long Fewest(double quantile) => QuantileInterval.MinimumSamples(quantile, 0.05);
}
