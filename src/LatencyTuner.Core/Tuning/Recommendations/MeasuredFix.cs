using LatencyTuner.Core.Analysis;

namespace LatencyTuner.Core.Tuning.Recommendations;

/// <summary>A remedy of an experiment with the intervals of its medians.</summary>
/// <param name="Fix">The remedy.</param>
/// <param name="BeforeN">Requests measured without it; null when unknown.</param>
/// <param name="AfterLowUs">Lower end of the 95 % interval of the median with it, in microseconds; null when unknown.</param>
/// <param name="AfterHighUs">Upper end; null when unknown or open.</param>
public sealed record MeasuredFix(DiagnosisFix Fix, long? BeforeN, double? AfterLowUs, double? AfterHighUs)
{
    /// <summary>What the remedy must save to be one: less than a tenth of the median is no effect.</summary>
    public const double LeastShare = 0.1;

    /// <summary>True when it was measured and did nothing.</summary>
    public bool HadNoEffect => Fix.Saves < LeastShare;

    /// <summary>Milliseconds per request that it saves at the median; null when not measured.</summary>
    public double? SavesMs => Fix is { P50UsBefore: { } before, P50UsAfter: { } after } ? (before - after) / 1000 : null;
}
