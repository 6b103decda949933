namespace LatencyTuner.Core.Analysis;

/// <summary>What one owner holds of a time.</summary>
/// <param name="Owner">Client, server or network.</param>
/// <param name="Share">Share (0 to 1).</param>
/// <param name="Low">Lower end of its 95 % interval.</param>
/// <param name="High">Upper end.</param>
/// <param name="MeanNs">Mean for each request, nanoseconds.</param>
public readonly record struct OwnerShare(Owner Owner, double Share, double Low, double High, double MeanNs);
