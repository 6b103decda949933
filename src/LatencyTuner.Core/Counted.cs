using System.Globalization;

namespace LatencyTuner.Core;

/// <summary>Numbers of things in sentences.</summary>
public static class Counted
{
    /// <summary>For example <c>1 row</c>, <c>12,000 rows</c>.</summary>
    /// <param name="count">How many.</param>
    /// <param name="noun">What, in the singular; its plural ends in s.</param>
    public static string Of(long count, string noun) => string.Create(CultureInfo.InvariantCulture, $"{count:N0} {noun}{(count == 1 ? "" : "s")}");
}
