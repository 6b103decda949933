namespace LatencyTuner.Core.Analysis.Selftest;

/// <summary>An assumption with what its probe found.</summary>
/// <param name="Assumption">The assumption.</param>
/// <param name="Finding">What was found.</param>
public sealed record ProbedAssumption(Assumption Assumption, ProbeFinding Finding);
