namespace LatencyTuner.Core.Statistics;

/// <summary>Whether an oscillation could be the image of a faster one that the sampling is too coarse to show.</summary>
public enum AliasVerdict
{
    /// <summary>The sampling is even: a faster oscillation at an alias period would look the same.</summary>
    Possible,

    /// <summary>The sampling is uneven or much finer, and the aliases fit worse.</summary>
    Excluded,

    /// <summary>An alias fits the single samples better than the period found.</summary>
    Likelier,
}
