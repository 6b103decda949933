using System.Globalization;

namespace LatencyTuner.Core.Reporting.Charts;

/// <summary>How the values of an axis are spread over its length.</summary>
internal sealed class ChartScale
{
    // Values that lie further apart than this on one axis are spread by their logarithms.
    private const double LogRatio = 12;

    private const double LongestBar = 120;

    // Smallest values further than this below the next one would press all others together.
    private const double Stray = 100;
    private static readonly int[] Round = [1, 2, 5, 10];
    private static readonly double[] TimeSteps =
    [
        1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400, 172_800, 604_800, 1_209_600, 2_592_000, 7_776_000,
        31_536_000,
    ];

    private ChartScale(ScaleKind kind, double low, double high) => (Kind, Low, High) = (kind, low, high > low ? high : low + 1);

    /// <summary>How values are spread.</summary>
    public ScaleKind Kind { get; }

    /// <summary>The value at the start of the axis.</summary>
    public double Low { get; }

    /// <summary>The value at the end of the axis.</summary>
    public double High { get; }

    /// <summary>The spread in a word, for the label of the axis.</summary>
    public string Word => Kind switch { ScaleKind.Log => "logarithmic", ScaleKind.Tail => "share of slower ones logarithmic", _ => "linear" };

    /// <summary>An axis for values: logarithmic when they lie far apart, else linear from zero.</summary>
    /// <param name="values">The values; those that are not finite are left out.</param>
    /// <param name="fromZero">False when a linear axis need not begin at zero.</param>
    /// <param name="barRatio">How far apart they must lie for a logarithmic axis.</param>
    public static ChartScale Of(IEnumerable<double> values, bool fromZero = true, double barRatio = LogRatio)
    {
        double[] sorted = [.. values.Where(double.IsFinite).Order()];
        if (sorted.Length == 0)
        {
            return new(ScaleKind.Linear, 0, 1);
        }

        double[] positive = sorted[0] < 0 ? [] : [.. sorted.Where(v => v > 0)];
        if (positive.Length > 2 && positive[1] > Stray * positive[0])
        {
            positive = positive[1..];
        }

        if (positive.Length > 0 && positive[^1] > barRatio * positive[0])
        {
            return Log(positive[0], positive[^1]);
        }

        (double low, double high) = (sorted[0], sorted[^1]);
        return Linear(fromZero || low == high ? Math.Min(0, low) : low, high);
    }

    /// <summary>An axis for bars, whose lengths are compared: from zero, and logarithmic only where short ones would vanish.</summary>
    /// <param name="values">The values; those that are not finite are left out.</param>
    public static ChartScale OfBars(IEnumerable<double> values) => Of(values, barRatio: LongestBar);

    /// <summary>A logarithmic axis with round ends: 1, 2 or 5 times a power of ten.</summary>
    public static ChartScale Log(double low, double high)
    {
        low = Math.Clamp(low, 1e-9, 1e18);
        return new(ScaleKind.Log, RoundDown(low), RoundUp(Math.Clamp(high, low * 1.0001, 1e19)));
    }

    /// <summary>A linear axis with round ends.</summary>
    public static ChartScale Linear(double low, double high)
    {
        double step = LinearStep((high > low ? high - low : Math.Max(Math.Abs(high), 1)) / 5);
        return new(ScaleKind.Linear, Math.Floor((low / step) + 1e-9) * step, Math.Ceiling((high / step) - 1e-9) * step);
    }

    /// <summary>A linear axis with exactly these ends.</summary>
    public static ChartScale Exact(double low, double high) => new(ScaleKind.Linear, low, high);

    /// <summary>An axis of clock times or of durations, in seconds, with exactly these ends.</summary>
    public static ChartScale Time(double low, double high, bool clock) => new(clock ? ScaleKind.Clock : ScaleKind.Seconds, low, high);

    /// <summary>An axis of shares from 0 to nearly 1, spread by the logarithm of what lies above.</summary>
    /// <param name="last">The largest share below 1.</param>
    public static ChartScale Tail(double last) =>
        new(ScaleKind.Tail, 0, 1 - Math.Pow(10, -Math.Ceiling(-Math.Log10(1 - Math.Clamp(last, 0.9, 1 - 1e-12)) - 1e-9)));

    /// <summary>The place of a value, 0 to 1; values beyond an end are at that end.</summary>
    public double Place(double value) => Math.Clamp((To(value) - To(Low)) / (To(High) - To(Low)), 0, 1);

    /// <summary>The value at a place: the inverse of <see cref="Place"/>.</summary>
    public double At(double place) => From(To(Low) + (place * (To(High) - To(Low))));

    /// <summary>Round values, at most about the given number.</summary>
    public IReadOnlyList<double> Ticks(int most)
    {
        most = Math.Max(most, 2);
        switch (Kind)
        {
            case ScaleKind.Log:
                return LogTicks(most);
            case ScaleKind.Tail:
                return [.. TailTicks().Where(v => v <= High + 1e-15)];
            default:
                double span = High - Low;
                double step = Kind != ScaleKind.Linear && span > most ? TimeSteps.FirstOrDefault(s => span / s <= most, TimeSteps[^1])
                    : LinearStep(span / most);
                List<double> ticks = [];
                for (double k = Math.Ceiling((Low / step) - 1e-9); (k * step) <= High + (span * 1e-9) && ticks.Count < 100; k++)
                {
                    ticks.Add(k * step);
                }

                return ticks;
        }
    }

    /// <summary>A share as the percentile that people say.</summary>
    public static string PercentileText(double share) => (share * 100).ToString("0.##########", CultureInfo.InvariantCulture) + " %";

    private static IEnumerable<double> TailTicks()
    {
        yield return 0;
        yield return 0.5;
        for (int k = 1; k <= 12; k++)
        {
            yield return 1 - Math.Pow(10, -k);
        }
    }

    private List<double> LogTicks(int most)
    {
        double decades = Math.Log10(High / Low);
        double[] factors = decades * 3 <= most ? [1, 2, 5] : [1];
        int every = Math.Max(1, (int)Math.Ceiling(decades / most));
        List<double> ticks = [];
        for (int power = (int)Math.Floor(Math.Log10(Low) + 1e-9); power <= Math.Log10(High) + 1e-9; power++)
        {
            ticks.AddRange(factors.Select(f => f * Math.Pow(10, power)).Where(v => power % every == 0 && v >= Low * 0.9999 && v <= High * 1.0001));
        }

        return ticks.Count > 0 ? ticks : [Low, High];
    }

    private double To(double value) => Kind switch
    {
        ScaleKind.Log => Math.Log(Math.Max(value, double.Epsilon)),
        ScaleKind.Tail => -Math.Log10(Math.Max(1 - value, 1e-13)),
        _ => value,
    };

    private double From(double place) => Kind switch
    {
        ScaleKind.Log => Math.Exp(place),
        ScaleKind.Tail => 1 - Math.Pow(10, -place),
        _ => place,
    };

    private static double LinearStep(double least)
    {
        double power = Math.Pow(10, Math.Floor(Math.Log10(Math.Max(least, 1e-12))));
        return Round.First(f => (f * power) >= least * 0.9999) * power;
    }

    private static double RoundDown(double value)
    {
        double power = Math.Pow(10, Math.Floor(Math.Log10(value) + 1e-9));
        return Round.Last(f => f * power <= value * 1.0001) * power;
    }

    private static double RoundUp(double value)
    {
        double power = Math.Pow(10, Math.Floor(Math.Log10(value) + 1e-9));
        return Round.First(f => f * power >= value * 0.9999) * power;
    }
}

/// <summary>How the values of an axis are spread.</summary>
internal enum ScaleKind
{
    /// <summary>Evenly.</summary>
    Linear,

    /// <summary>By their logarithm.</summary>
    Log,

    /// <summary>Shares, by the logarithm of what lies above.</summary>
    Tail,

    /// <summary>Seconds since 1970, evenly.</summary>
    Clock,

    /// <summary>Seconds, evenly.</summary>
    Seconds,
}
