using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Analysis.Hedging;

/// <summary>Judges the extra load of a hedge.</summary>
internal static class HedgeLoad
{
    /// <summary>From this multiple of the plan on, the extra load is told.</summary>
    private const double Above = 2;

    /// <summary>Why the extra load is more than twice the planned one and what to do; null when it is not, or when none was planned.</summary>
    /// <param name="share">Share (0 to 1) of the hedged requests that asked the second target too; null without any.</param>
    /// <param name="planned">The share that the percentile of the delay plans; null with a fixed delay.</param>
    /// <param name="slowUs">That percentile of the first target alone over the whole run, microseconds.</param>
    public static string? AbovePlan(double? share, double? planned, double slowUs) => share > Above * planned
        ? $"The second target was asked for {Format.Share(share)} of the requests, {Format.Share(planned)} were planned: the first target became slower faster "
            + $"than the delay could follow. Measure longer (--count), or set a fixed delay. {Format.Share(1 - planned)} of the requests to the first target "
            + $"alone took at most {Format.Us(slowUs)}."
        : null;
}
