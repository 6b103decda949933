using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Statistics;

/// <summary>Writes confidence intervals as text.</summary>
internal static class IntervalText
{
    /// <summary>The interval for the line below its figure, without units where they are those of the figure.</summary>
    internal static string? Below(double? figureUs, IntervalFigures? interval)
    {
        if (interval is null || figureUs is null)
        {
            return null;
        }

        if (interval.HighUs is not { } high)
        {
            return interval.LowUs > 0 ? "from " + Format.Us(interval.LowUs) : "too few";
        }

        return interval.LowUs == high ? null : Format.RangeBelow(figureUs.Value, interval.LowUs, high);
    }

    /// <summary>An interval without its figure, with its unit; empty when there is none.</summary>
    internal static string Alone(IntervalFigures? interval) => interval switch
    {
        null => "",
        { HighUs: { } high } => Format.Range(interval.LowUs, high),
        { AtLeastUs: not null } => "too few samples",
        { LowUs: 0 } => "too few samples",
        _ => "from " + Format.Us(interval.LowUs),
    };

    /// <summary>A figure, or the bound that is known when the samples do not support it.</summary>
    internal static string FigureOrBound(double? us, IntervalFigures? interval) =>
        us is null && interval?.AtLeastUs is { } bound ? ">= " + Format.Us(bound) : Format.Us(us);

    /// <summary>A difference with its interval and confidence level.</summary>
    internal static string Added(double us, IntervalFigures? interval) =>
        $"{Format.Us(us)}{(Below(us, interval) is { } ends ? $" ({ends}, 95 %)" : "")}";
}
