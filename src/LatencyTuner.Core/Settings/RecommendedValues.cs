namespace LatencyTuner.Core.Settings;

/// <summary>The values that suit a profile.</summary>
/// <param name="Values">Acceptable values, the recommended one first: decimal numbers, text, or <c>absent</c>.</param>
/// <param name="Because">Why, a clause.</param>
public sealed record RecommendedValues(IReadOnlyList<string> Values, string Because)
{
    /// <summary>The recommended value.</summary>
    public string Best => Values[0];
}
