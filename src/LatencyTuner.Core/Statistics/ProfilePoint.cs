namespace LatencyTuner.Core.Statistics;

/// <summary>One phase of a folded series.</summary>
/// <param name="Phase">Middle of the phase bin as a share (0 to 1) of the period; 0 is the highest point of the fundamental.</param>
/// <param name="Mean">Mean of the values that fall into it.</param>
/// <param name="Low">Lower end of its 95 % interval.</param>
/// <param name="High">Upper end of its 95 % interval.</param>
/// <param name="Count">Bins of the series that fall into it.</param>
public readonly record struct ProfilePoint(double Phase, double Mean, double Low, double High, int Count);
