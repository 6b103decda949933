using System.Globalization;
using System.Text.Json.Serialization;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Statistics;

/// <summary>Writes figures of series for sentences.</summary>
internal static class SeriesText
{
    internal static string Of(SeriesMetric metric) => metric switch
    {
        SeriesMetric.Median => "median",
        SeriesMetric.Tail => "99th percentile",
        _ => "rate of slow requests",
    };

    /// <summary>A value of a metric with its unit.</summary>
    internal static string Value(SeriesMetric metric, double value) => metric == SeriesMetric.SlowRate ? $"{Digits(value)}/s"
        : Math.Abs(value) < 1 ? $"{Digits(value * 1e3)} us" : $"{Digits(value)} ms";

    internal static string Seconds(double seconds) => Math.Abs(seconds) switch
    {
        < 1 => $"{Digits(seconds * 1e3)} ms",
        < 600 => $"{Digits(seconds)} s",
        < 36_000 => $"{Digits(seconds / 60)} min",
        _ => $"{Digits(seconds / 3600)} h",
    };

    internal static string Time(double unixSeconds) => Format.Utc(Format.UtcOf(unixSeconds));

    internal static string P(double p) => p < 1e-9 ? "under 1e-9" : p.ToString(p < 0.001 ? "0.0e+0" : "0.####", CultureInfo.InvariantCulture);

    /// <summary>A period with its interval, with enough digits to distinguish the ends of the interval.</summary>
    internal static string Period(Oscillation o)
    {
        (string unit, double factor) = o.PeriodSeconds switch { < 1 => ("ms", 1e3), < 600 => ("s", 1), < 36_000 => ("min", 1 / 60.0), _ => ("h", 1 / 3600.0) };
        double width = Math.Max(1e-12, (o.PeriodHighSeconds - o.PeriodLowSeconds) * factor);
        string format = "F" + Math.Clamp((int)Math.Ceiling(-Math.Log10(width)) + 1, 1, 5).ToString(CultureInfo.InvariantCulture);
        string Shown(double seconds) => (seconds * factor).ToString(format, CultureInfo.InvariantCulture);
        return $"{Shown(o.PeriodSeconds)} {unit}{Format.Between(Shown(o.PeriodLowSeconds), Shown(o.PeriodHighSeconds))}";
    }

    /// <summary>A number with four significant digits.</summary>
    private static string Digits(double value) => Math.Abs(value) switch
    {
        0 => "0",
        < 1 => value.ToString("0.000", CultureInfo.InvariantCulture),
        < 10 => value.ToString("0.00", CultureInfo.InvariantCulture),
        < 1000 => value.ToString("0.0", CultureInfo.InvariantCulture),
        _ => value.ToString("#,0", CultureInfo.InvariantCulture),
    };
}

/// <summary>The metric of a series that is examined over time.</summary>
[JsonConverter(typeof(KebabCaseEnumConverter<SeriesMetric>))]
public enum SeriesMetric
{
    /// <summary>The median of each bin, milliseconds.</summary>
    Median,

    /// <summary>The 99th percentile of each bin, or the largest of fewer than 100 requests, milliseconds.</summary>
    Tail,

    /// <summary>Requests above the limit of <c>--slower-than</c>, per second.</summary>
    SlowRate,
}
