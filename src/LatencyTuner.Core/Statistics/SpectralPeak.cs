namespace LatencyTuner.Core.Statistics;

/// <summary>A peak that noise does not explain.</summary>
/// <param name="Level">Index of the level it was seen on.</param>
/// <param name="Frequency">Hz, on the grid of the level.</param>
/// <param name="Harmonics">Harmonics summed.</param>
/// <param name="LogFalseAlarm">Natural logarithm of its false-alarm probability over the whole search.</param>
internal readonly record struct SpectralPeak(int Level, double Frequency, int Harmonics, double LogFalseAlarm);
