namespace LatencyTuner.Core.Analysis;

/// <summary>The severity of a finding by what it cost.</summary>
public static class Severities
{
    /// <summary>Judges a cost.</summary>
    /// <param name="costShare">Lost time as a share (0 to 1) of the active time.</param>
    /// <param name="longStalls">Stalls of 100 ms and more.</param>
    /// <param name="elapsed">Time over which they were seen.</param>
    public static Severity Of(double costShare, long longStalls, TimeSpan elapsed)
    {
        // Three within a minute; over a longer time, at that rate.
        bool often = longStalls >= 3 && longStalls >= 3 * elapsed.TotalMinutes;
        return costShare >= 0.20 || often ? Severity.Error : costShare >= 0.05 ? Severity.Warning : Severity.Info;
    }
}
