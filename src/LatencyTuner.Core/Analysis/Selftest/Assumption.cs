namespace LatencyTuner.Core.Analysis.Selftest;

/// <summary>Something about Windows that this program relies on and that could not be verified where it is built.</summary>
/// <param name="Group">The group it is listed in.</param>
/// <param name="Id">Stable id, as in the documentation.</param>
/// <param name="Text">What is assumed, a clause.</param>
/// <param name="Run">What settles it where the probe cannot: a command, or what to do and to compare.</param>
public sealed record Assumption(string Group, string Id, string Text, string Run);
