namespace LatencyTuner.Core.Statistics;

/// <summary>What a comparison of before (A) with after (B) allows to say.</summary>
public enum ComparisonVerdict
{
    /// <summary>Some judged quantile is lower in B, none is higher.</summary>
    Better,

    /// <summary>All judged quantiles differ by less than the practical limit.</summary>
    Same,

    /// <summary>Some judged quantile is higher in B, whatever the others do.</summary>
    Worse,

    /// <summary>Too little evidence for any of these.</summary>
    CannotTell,
}
