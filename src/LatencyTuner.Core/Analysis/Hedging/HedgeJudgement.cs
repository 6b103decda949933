using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Statistics;

namespace LatencyTuner.Core.Analysis.Hedging;

/// <summary>One quantile of the quicker of two answers, predicted and measured.</summary>
public sealed record HedgeQuantile
{
    /// <summary>For example 0.99.</summary>
    public required double Quantile { get; init; }

    /// <summary>The first alone in microseconds; null for want of samples.</summary>
    public double? FirstUs { get; init; }

    /// <summary>Predicted from the series measured apart, if both are independent.</summary>
    public required double PredictedUs { get; init; }

    /// <summary>95 % bootstrap interval of the prediction.</summary>
    public required IntervalFigures Predicted { get; init; }

    /// <summary>The least possible whatever the dependence (Fréchet bound).</summary>
    public required double BestUs { get; init; }

    /// <summary>The most possible whatever the dependence (Fréchet bound).</summary>
    public required double WorstUs { get; init; }

    /// <summary>Measured; null for want of samples.</summary>
    public double? MeasuredUs { get; init; }

    /// <summary>95 % interval of the measured value.</summary>
    public IntervalFigures? Measured { get; init; }
}

/// <summary>Whether a second server pays, and whose fault it is where it does not.</summary>
/// <param name="Result">
/// The published word: <c>independent</c>, <c>shared</c>, <c>better-than-independent</c>, <c>nothing-to-gain</c> or <c>cannot-tell</c>.
/// </param>
/// <param name="Because">Why, a sentence or two.</param>
internal sealed record HedgeJudgement(string Result, string Because)
{
    // Smaller differences are those of the threads that ask, and nobody would act on them.
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
                $"Too few answers for the tail: at least {Fewest(0.9)} of each kind are needed for the 90th percentile, {Fewest(0.99)} for the 99th, and "
                + "more when neighbours resemble each other.");
        }

        string name = $"{tail.Quantile * 100:0.#}th percentile";
        double relevant = Math.Max(LeastUs, LeastShare * tail.PredictedUs);
        double off = tail.MeasuredUs!.Value - tail.PredictedUs;
        return -off > relevant && tail.Measured!.HighUs < tail.Predicted.LowUs
                ? new(
                    "better-than-independent",
                    $"The {name} is below what two independent servers would give: the two are slow at different moments, or the load changed between "
                    + "the turns.")
            : tail.FirstUs - tail.PredictedUs <= relevant
                ? new(
                    "nothing-to-gain",
                    $"At the {name} the first alone is as quick as the quicker of two would be: a hedge cannot help there. Higher percentiles need "
                    + "more requests (--count).")
            : off > relevant && tail.Measured!.LowUs > tail.Predicted.HighUs
                ? new(
                    "shared",
                    $"The {name} is above what two independent servers would give: what makes it slow is shared by both, so it is this client or the "
                    + "common path, and a second server does not cure it.")
            : tail.Measured!.HighUs >= tail.FirstUs
                ? new(
                    "cannot-tell",
                    $"The interval of the {name} reaches from what two independent servers would give to what the first gives alone: more requests are "
                    + "needed (--count).")
            : new("independent", $"The {name} is what two independent servers would give: what makes it slow is behind each of them, and the hedge cures it.");
    }

    /// <summary>The verdict of a run that ended by itself.</summary>
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
        return new() { Word = word, Text = Because, Tone = tone, ExitCode = code };
    }

    private static long Fewest(double quantile) => QuantileInterval.MinimumSamples(quantile, 0.05);
}
