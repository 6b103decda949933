namespace LatencyTuner.Core.Statistics;

/// <summary>A quantity over time on a regular grid. Bins without a value are gaps, not zeros.</summary>
internal sealed class BinnedSeries
{
    /// <summary>Creates a series.</summary>
    /// <param name="startSeconds">Start of the first bin, seconds on any clock; series that are to be aligned share the clock.</param>
    /// <param name="stepSeconds">Length of a bin, seconds, above 0.</param>
    /// <param name="values">One value per bin in any unit; NaN is a gap. Kept, not copied.</param>
    /// <exception cref="ArgumentOutOfRangeException">The step is not above 0, or the start is not finite.</exception>
    public BinnedSeries(double startSeconds, double stepSeconds, double[] values)
    {
        ArgumentNullException.ThrowIfNull(values);
        if (!(stepSeconds > 0) || !double.IsFinite(stepSeconds))
        {
            throw new ArgumentOutOfRangeException(nameof(stepSeconds), stepSeconds, "The bin length must be above 0 s.");
        }

        if (!double.IsFinite(startSeconds))
        {
            throw new ArgumentOutOfRangeException(nameof(startSeconds), startSeconds, "The start must be a finite number.");
        }

        StartSeconds = startSeconds;
        StepSeconds = stepSeconds;
        Values = values;
        Count = values.Count(v => !double.IsNaN(v));
    }

    /// <summary>Start of the first bin, seconds.</summary>
    public double StartSeconds { get; }

    /// <summary>Length of a bin, seconds.</summary>
    public double StepSeconds { get; }

    /// <summary>Time from the start of the first bin to the end of the last, seconds.</summary>
    public double SpanSeconds => Values.Length * StepSeconds;

    /// <summary>Number of bins that have a value.</summary>
    public int Count { get; }

    /// <summary>One value per bin; NaN is a gap.</summary>
    internal double[] Values { get; }

    /// <summary>Middle of a bin, seconds.</summary>
    /// <param name="bin">Index of the bin, from 0.</param>
    public double TimeOf(double bin) => StartSeconds + ((bin + 0.5) * StepSeconds);

    /// <summary>The median of the bins that have a value; NaN without any.</summary>
    internal double Median() => OrderStatistics.Median([.. Values.Where(v => !double.IsNaN(v))]);
}
