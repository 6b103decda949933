namespace LatencyTuner.Core.Measurement.Probes;

/// <summary>What one turn of a hedged run asks.</summary>
internal enum HedgeTurn
{
    /// <summary>The first target; the second stands by and is not asked.</summary>
    FirstAlone,

    /// <summary>The second target.</summary>
    SecondAlone,

    /// <summary>The first, and the second once the first has taken too long.</summary>
    Both,
}
