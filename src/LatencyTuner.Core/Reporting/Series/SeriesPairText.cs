using System.Globalization;
using LatencyTuner.Core.Analysis.Series;
using LatencyTuner.Core.Statistics;

namespace LatencyTuner.Core.Reporting.Series;

/// <summary>What two series side by side mean, in a sentence.</summary>
internal static class SeriesPairText
{
    internal static string Of(SeriesPair pair, string a, string b, bool secondSwings)
    {
        string shifts = pair.CommonShifts.Count == 0 ? ""
            : $"Both shifted to another level at {string.Join(", ", pair.CommonShifts.Select(SeriesText.Time))}: something they share changed, or both "
                + "changed.";
        return $"{(pair.Alignment is { } alignment ? Swing(pair.Metric, alignment, a, b, secondSwings) : "")} {shifts}".Trim();
    }

    private static string Swing(SeriesMetric metric, SeriesAlignment s, string a, string b, bool secondSwings) => s.Verdict switch
    {
        AlignmentVerdict.Locked =>
            $"{a} and {b} swing in step every {SeriesText.Seconds(s.PeriodSeconds)}: {Behind(s, a, b)} ({Interval(s)} % of the period, 95 %; p "
            + $"{SeriesText.P(s.P ?? 1)}). A common cause is not excluded; a lock alone does not prove it.",
        AlignmentVerdict.Independent when s.SamePeriod == false =>
            $"{a} and {b} swing with different periods, which excludes a common cause of the two.",
        AlignmentVerdict.Independent =>
            $"{a} and {b} have nearly the same period, but the phase between them does not stay: a common cause is excluded as far as this series goes.",
        AlignmentVerdict.OnlyOne =>
            $"{(secondSwings ? b : a)} swings every {SeriesText.Seconds(s.PeriodSeconds)} and {(secondSwings ? a : b)} does not, by "
            + $"{SeriesText.Value(metric, s.OtherAmplitudeHigh ?? 0)} at most (97.5 %): what both share is not the cause.",
        _ when s.PhaseDifference is null =>
            $"Whether {a} and {b} swing in step cannot be told: they have {SeriesText.Seconds(s.CommonSeconds)} in common, and five periods are needed.",
        _ =>
            $"Whether {a} and {b} swing in step every {SeriesText.Seconds(s.PeriodSeconds)} cannot be told: the phase between them is not steady enough "
            + $"for it nor against it (p {SeriesText.P(s.P ?? 1)}).",
    };

    /// <summary>The interval as the sentence before it counts: from the one that is early.</summary>
    private static string Interval(SeriesAlignment s)
    {
        (double low, double high) = (100 * (s.PhaseLow ?? 0), 100 * (s.PhaseHigh ?? 0));
        (low, high) = high < 0 ? (-high, -low) : (low, high);
        string format = high - low < 3 ? "0.0" : "0";
        return $"{low.ToString(format, CultureInfo.InvariantCulture)} to {high.ToString(format, CultureInfo.InvariantCulture)}";
    }

    private static string Behind(SeriesAlignment s, string a, string b)
    {
        double phase = s.PhaseDifference ?? 0;
        string late = phase >= 0 ? b : a;
        string early = phase >= 0 ? a : b;
        return s.PhaseLow <= 0 && s.PhaseHigh >= 0 ? "at the same time"
            : $"{late} is {SeriesText.Seconds(Math.Abs(s.DelaySeconds ?? 0))} behind {early}, {Math.Abs(phase) * 100:0.0} % of the period";
    }
}
