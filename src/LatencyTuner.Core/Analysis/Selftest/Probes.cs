using LatencyTuner.Core.Sockets;

namespace LatencyTuner.Core.Analysis.Selftest;

/// <summary>Runs the probes: reading only, with sockets of its own on loopback.</summary>
public static class Probes
{
    /// <summary>Every assumption with what was found, in the order of the list. A probe that fails gives no answer; the others continue.</summary>
    /// <param name="evidence">What was read of this machine.</param>
    /// <param name="platform">The socket calls.</param>
    /// <param name="time">The clock.</param>
    /// <param name="progress">Receives the id of each assumption before its probe, and the share done (0 to 1); null for no progress.</param>
    public static IReadOnlyList<ProbedAssumption> Run(
        SelftestEvidence evidence, ISocketPlatform platform, TimeProvider time, Action<string, double>? progress = null)
    {
        ArgumentNullException.ThrowIfNull(evidence);
        Dictionary<string, Func<ProbeFinding>> probes = All(evidence, platform, time);
        return [.. AssumptionCatalogue.All.Select((a, i) =>
        {
            progress?.Invoke(a.Id, (double)i / AssumptionCatalogue.All.Count);
            return new ProbedAssumption(
                a, probes.TryGetValue(a.Id, out Func<ProbeFinding>? probe) ? Guarded(probe) : ProbeFinding.Unknown("No probe on one machine can show it."));
        })];
    }

    /// <summary>The ids that have a probe of their own; a person has to check the others.</summary>
    internal static IReadOnlyCollection<string> Ids(SelftestEvidence evidence, ISocketPlatform platform, TimeProvider time) =>
        All(evidence, platform, time).Keys;

    private static Dictionary<string, Func<ProbeFinding>> All(SelftestEvidence evidence, ISocketPlatform platform, TimeProvider time) =>
        SettingProbes.All(evidence).Concat(CimProbes.All(evidence)).Concat(ChangeProbes.All(evidence))
            .Concat(new SocketProbes(evidence.Snapshot.Os, platform, time).All()).Concat(new TimeProbes(evidence, platform, time).All())
            .ToDictionary(p => p.Id, p => p.Probe);

    private static ProbeFinding Guarded(Func<ProbeFinding> probe)
    {
        try
        {
            return probe();
        }
        catch (Exception failure)
        {
            // The admin should send back whatever goes wrong here; the other probes continue.
            return ProbeFinding.Unknown($"The probe itself failed: {failure.GetType().Name}.", failure.Message);
        }
    }
}
