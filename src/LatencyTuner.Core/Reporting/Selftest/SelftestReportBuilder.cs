using LatencyTuner.Core.Analysis.Selftest;
using LatencyTuner.Core.Evidence;

namespace LatencyTuner.Core.Reporting.Selftest;

/// <summary>Makes <c>selftest</c> documents.</summary>
public static class SelftestReportBuilder
{
    /// <summary>Builds the document. It has the machine's Windows version and hypervisor, but not its name.</summary>
    /// <param name="snapshot">The snapshot of the machine.</param>
    /// <param name="probes">The results of the probes.</param>
    /// <param name="tool">This program and its version.</param>
    /// <param name="takenUtc">When the selftest ran.</param>
    public static SelftestReport From(HostSnapshot snapshot, IReadOnlyList<ProbedAssumption> probes, ToolIdentity tool, DateTimeOffset takenUtc)
    {
        ArgumentNullException.ThrowIfNull(snapshot);
        ArgumentNullException.ThrowIfNull(probes);
        return Judge(new SelftestReport
        {
            Complete = true,
            StartedUtc = takenUtc.UtcDateTime,
            Tool = $"latencytuner {tool.Version}",
            Runtime = tool.Runtime,
            Processors = tool.Processors,
            Os = snapshot.Os,
            VirtualMachine = snapshot.VirtualMachine,
            Hypervisor = snapshot.Hypervisor,
            Elevated = snapshot.Elevated,
            Text = Counts(probes),
            Probes = [.. probes.Select(p => Of(p, snapshot.Os.Build, snapshot.Machine))],
        });
    }

    /// <summary>Builds the document from what a proof on another machine wrote: its selftests and its steps together.</summary>
    /// <param name="evidence">The evidence.</param>
    public static SelftestReport From(ProofEvidence evidence)
    {
        ArgumentNullException.ThrowIfNull(evidence);
        SelftestReport first = evidence.Selftests[0];
        IReadOnlyList<ProbedAssumption> probes = ProofJudgement.Of(
            [.. evidence.Selftests.Select(s => s.Probes.ToLookup(p => p.Id, p => new ProbeFinding(p.Result, p.Because, p.Evidence)))], evidence.Runs);
        return Judge(first with
        {
            Text = Counts(probes),
            Probes = [.. probes.Select(p => Of(p, first.Os.Build, null))],
            Steps =
            [
                .. evidence.Runs.Select(r => new SelftestStep
                {
                    Id = r.Step,
                    ExitCode = r.ExitCode,
                    NotRun = r.NotRun,
                    Expected = ProofCatalogue.Steps.FirstOrDefault(s => s.Id == r.Step)?.Expected,
                }),
            ],
        });
    }

    private static string Counts(IReadOnlyList<ProbedAssumption> probes)
    {
        int Count(AssumptionState result) => probes.Count(p => p.Finding.Result == result);
        return
            $"Of {probes.Count} assumptions, hold here: {Count(AssumptionState.Holds)}; do not hold: {Count(AssumptionState.DoesNotHold)}; "
            + $"could not be tested in this run: {Count(AssumptionState.CannotTell)}.";
    }

    private static SelftestProbe Of(ProbedAssumption p, int? build, string? machine) => new()
    {
        Id = p.Assumption.Id,
        Group = p.Assumption.Group,
        Assumption = p.Assumption.Text,
        Result = p.Finding.Result,
        Expected = ExpectedResults.On(p.Assumption.Id, build),
        Worse = ExpectedResults.IsWorse(p.Finding.Result, ExpectedResults.On(p.Assumption.Id, build)),
        Because = p.Finding.Because,
        Evidence = [.. p.Finding.Evidence.Select(e => Without(e, machine))],
        Run = p.Finding.Result == AssumptionState.Holds ? null : p.Assumption.Run,
    };

    /// <summary>Adds the verdict to a document.</summary>
    internal static SelftestReport Judge(SelftestReport report) =>
        report with { Judgement = SelftestOutcome.Judge(report.Probes.Select(p => p.Result), report.StatedText) };

    // Texts of Windows, for example of a failure, may name the machine.
    private static string Without(string text, string? machine) =>
        machine is { Length: > 0 } ? text.Replace(machine, "(this machine)", StringComparison.OrdinalIgnoreCase) : text;
}
