namespace LatencyTuner.Core.Analysis.Sweeps;

/// <summary>What some clients reached together at one size of a buffer or window.</summary>
/// <param name="Value">The size in bytes; null when the system chose it.</param>
/// <param name="Clients">Number of connections at the same time.</param>
/// <param name="PerSecond">Requests per second of all together in each round.</param>
/// <param name="LimitedShare">Share (0 to 1) of the time in which the sender waited for that buffer or window; null when not counted.</param>
internal sealed record ClientLevel(double? Value, int Clients, IReadOnlyList<double> PerSecond, double? LimitedShare);
