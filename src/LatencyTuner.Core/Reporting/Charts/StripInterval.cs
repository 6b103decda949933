namespace LatencyTuner.Core.Reporting.Charts;

/// <summary>One interval of a time strip.</summary>
/// <param name="StartMs">Its start in milliseconds.</param>
/// <param name="ValueUs">Its value in microseconds; null when nothing was received in it.</param>
public readonly record struct StripInterval(double StartMs, double? ValueUs);
