using System.Globalization;
using LatencyTuner.Core.Analysis.Series;
using LatencyTuner.Core.Statistics;

namespace LatencyTuner.Core.Reporting.Series;

/// <summary>The sentence about two series side by side.</summary>
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
            + $"{SeriesText.P(s.P ?? 1)}). A common cause is possible; a fixed phase alone does not prove it.",
        AlignmentVerdict.Independent when s.SamePeriod == false =>
            $"{a} and {b} swing with different periods, which excludes a common cause of the two.",
        AlignmentVerdict.Independent =>
            $"{a} and {b} have nearly the same period, but the phase between them drifts. For the time measured, this excludes a common cause.",
        AlignmentVerdict.OnlyOneOscillates =>
            $"{(secondSwings ? b : a)} swings every {SeriesText.Seconds(s.PeriodSeconds)} and {(secondSwings ? a : b)} does not, or by "
            + $"{SeriesText.Value(metric, s.OtherAmplitudeHigh ?? 0)} at most (97.5 %). The cause is not in what both share.",
        _ when s.PhaseDifference is null =>
            $"It is unknown whether {a} and {b} swing in step: they have {SeriesText.Seconds(s.CommonSeconds)} in common, but five periods are needed.",
        _ =>
            $"It is unknown whether {a} and {b} swing in step every {SeriesText.Seconds(s.PeriodSeconds)}: the phase between them is neither "
            + $"steady enough to show it nor unsteady enough to exclude it (p {SeriesText.P(s.P ?? 1)}).",
    };

    /// <summary>The interval of the phase in the direction of the sentence: how far the later series is behind the earlier one.</summary>
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
