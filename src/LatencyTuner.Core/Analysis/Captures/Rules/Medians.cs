namespace LatencyTuner.Core.Analysis.Captures.Rules;

/// <summary>The middle of a set of times.</summary>
internal static class Medians
{
    /// <summary>The upper median; 0 of nothing.</summary>
    public static long Of(IEnumerable<long> values)
    {
        long[] sorted = [.. values.Order()];
        return sorted.Length == 0 ? 0 : sorted[sorted.Length / 2];
    }
}
