using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Settings.Cim;

namespace LatencyTuner.Core.Analysis.Selftest;

/// <summary>What the probes of settings examine: a snapshot, and what it was made of.</summary>
/// <param name="Snapshot">The snapshot.</param>
/// <param name="Cim">What CIM answered.</param>
/// <param name="BeforeCim">The interfaces as the registry and the address tables alone show them.</param>
/// <param name="Changes">What is ready for changes.</param>
/// <param name="Processors">Number of processors that this process may use.</param>
public sealed record SelftestEvidence(HostSnapshot Snapshot, CimEvidence Cim, IReadOnlyList<NetworkInterface> BeforeCim, ChangeFacts Changes, int Processors);
