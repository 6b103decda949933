namespace LatencyTuner.Core.Tuning.Recommendations;

/// <summary>Every published finding id, those of newer reports included.</summary>
public static class FindingIds
{
    /// <summary>The ids in ascending order.</summary>
    public static IReadOnlyList<string> All { get; } =
    [
        "LT101", "LT102", "LT103", "LT111", "LT112", "LT113", "LT114", "LT115", "LT121", "LT122", "LT123", "LT131", "LT132", "LT141", "LT142",
        "LT151", "LT152", "LT161", "LT201", "LT202", "LT203", "LT204", "LT301",
    ];

    /// <summary>True for the findings of a settings audit, which prove no stall.</summary>
    /// <param name="id">A finding id.</param>
    public static bool IsOfSettings(string id)
    {
        ArgumentNullException.ThrowIfNull(id);
        return id.StartsWith("LT2", StringComparison.Ordinal);
    }
}
