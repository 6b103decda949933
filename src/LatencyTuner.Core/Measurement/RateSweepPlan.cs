namespace LatencyTuner.Core.Measurement;

/// <summary>How a sweep over request rates is to run.</summary>
public sealed record RateSweepPlan
{
    /// <summary>What is measured at every point; its rate, duration and seed are replaced.</summary>
    public required MeasurementPlan Base { get; init; }

    /// <summary>Rates in requests per second, ascending.</summary>
    public required IReadOnlyList<double> Rates { get; init; }

    /// <summary>Rounds; each measures every rate once, in a new random order.</summary>
    public int Rounds { get; init; } = 3;

    /// <summary>Time per point and round.</summary>
    public TimeSpan PointTime { get; init; } = TimeSpan.FromSeconds(1);

    /// <summary>Seed of the order and of the arrival times.</summary>
    public int Seed { get; init; } = 1;

    /// <summary>Rates in even steps of their logarithm.</summary>
    /// <param name="from">Lowest, positive.</param>
    /// <param name="to">Highest, above the lowest.</param>
    /// <param name="steps">Number of rates, at least 2.</param>
    public static IReadOnlyList<double> LogSteps(double from, double to, int steps)
    {
        double factor = Math.Pow(to / from, 1.0 / (steps - 1));
        // Rounding closer steps than a tenth would make neighbours equal or pass the ends.
        return [.. Enumerable.Range(0, steps).Select(i => i == 0 ? from : i == steps - 1 ? to : factor < 1.1 ? from * Math.Pow(factor, i) : Round(from * Math.Pow(factor, i)))];
    }

    /// <summary>Two significant digits: 126 requests per second say no more than 130.</summary>
    private static double Round(double rate)
    {
        double scale = Math.Pow(10, Math.Floor(Math.Log10(rate)) - 1);
        return Math.Round(rate / scale) * scale;
    }
}
