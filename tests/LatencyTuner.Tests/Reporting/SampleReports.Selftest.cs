using LatencyTuner.Core.Analysis.Selftest;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Reporting.Selftest;
using LatencyTuner.Core.Settings.Cim;
using LatencyTuner.Tests.Analysis.Selftest;
using LatencyTuner.Tests.Settings;
using LatencyTuner.Tests.Settings.Cim;

namespace LatencyTuner.Tests.Reporting;

/// <summary>A selftest of settings alone: what sockets and clocks do differs from run to run.</summary>
internal static partial class SampleReports
{
    internal static SelftestReport Selftest
    {
        get
        {
            CimEvidence cim =
                CimSamples.Evidence(
                    (CimClasses.Adapters, CimSamples.Adapters),
                    (CimClasses.Templates, CimSamples.Templates));
            SelftestEvidence evidence = Selftests.Evidence(SampleSnapshots.Server2022, cim, CimSamples.Interfaces);
            Dictionary<string, Func<ProbeFinding>> probes = SettingProbes.All(evidence).Concat(CimProbes.All(evidence)).ToDictionary(p => p.Id, p => p.Probe);
            return SelftestOf(a => probes.TryGetValue(a.Id, out Func<ProbeFinding>? probe) ? probe()
                : new(AssumptionState.CannotTell, "It was not probed here.", []));
        }
    }

    internal static SelftestReport SelftestHolds => SelftestOf(_ => new(AssumptionState.Holds, "As documented.", []));

    private static SelftestReport SelftestOf(Func<Assumption, ProbeFinding> probed) => SelftestReportBuilder.From(
        SampleSnapshots.Server2022, [.. AssumptionCatalogue.All.Select(a => new ProbedAssumption(a, probed(a)))],
        new ToolIdentity("0.1.0", "Windows", ".NET 8.0.0", 8), Started);
}
