using LatencyTuner.Core;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Reporting.Changes;
using LatencyTuner.Core.Reporting.Comparison;
using LatencyTuner.Core.Settings;
using LatencyTuner.Core.Tuning;
using LatencyTuner.Hosting;

namespace LatencyTuner.Commands;

/// <summary>What apply, verify, rollback and history share.</summary>
internal static class TuningRuns
{
    /// <summary>Access to the settings of this machine; fails where they cannot be changed.</summary>
    /// <param name="host">The process that the command runs in.</param>
    /// <param name="what">What is not possible here: the beginning of the failure's sentence, such as "Changes can be verified".</param>
    /// <param name="instead">What to do instead: the end of the failure's text, without a full stop.</param>
    public static LiveTuning Require(CliHost host, string what, string instead = "") =>
        host.LiveTuning?.Invoke() ?? throw new ExpectedFailureException(ExitCode.Platform, $"{what} on Windows only, and this is {CliHost.Tool.Os}{instead}.");

    /// <summary>The context for putting values back and for verifying them: the interfaces need not be present.</summary>
    public static TuningContext Context(LiveTuning live, CliHost host) => live.Context(CatalogueRules.Of(SettingsCatalogue.Current, null), host.Time);

    /// <summary>A request of no settings yet: who asks, on which machine, and when.</summary>
    public static PlanRequest Request(CliHost host, LiveTuning? live, MachineIdentity machine) => new()
    {
        Settings = [],
        Operator = live?.Operator ?? "",
        Machine = machine,
        Now = host.Time.GetUtcNow(),
        Suffix = Convert.ToHexString(host.RandomBytes(2)).ToLowerInvariant(),
    };

    /// <summary>The context for looking at a snapshot, where nothing can be written.</summary>
    public static TuningContext OfSnapshot(CliHost host, HostSnapshot snapshot, string path, ChangeRules rules, ChangePlan? plan = null)
    {
        string name = snapshot.Machine ?? "a machine without a name";
        return new TuningContext
        {
            Store = new SnapshotStore(snapshot, path),
            Folder = new EmptyJournalFolder(),
            Rules = rules,

            // A snapshot holds only the name of its machine, so the name decides whether a plan belongs to it.
            Machine = plan is not null && string.Equals(plan.Machine.Name, snapshot.Machine, StringComparison.OrdinalIgnoreCase) ? plan.Machine
                : new MachineIdentity("", name),
            Clock = host.Time,
            MissingPrivilege = () => null,
        };
    }

    /// <summary>Writes the entry of the Event Log and returns null, or a sentence that says why it did not.</summary>
    public static string? Record(LiveTuning live, TuningResult result, string? ticket) =>
        BatchEvent.Of(result, live.Operator, ticket) is { } entry ? live.Report(entry) : null;

    /// <summary>Writes the report and the entry of the Event Log.</summary>
    public static ExitCode Finish(
        CliHost host, ReportOutput output, LiveTuning? live, MachineIdentity machine, TuningResult result, string? ticket = null,
        IReadOnlyList<ComparedQuantile>? quantiles = null)
    {
        if (live is not null && Record(live, result, ticket) is { } missing)
        {
            result = result with { Notes = [.. result.Notes, missing] };
        }

        ChangeReport report = ChangeReportBuilder.From(result, machine, host.Time.GetUtcNow());
        output.Write(report.Effect is { } effect && quantiles is not null ? report with { Effect = effect with { Quantiles = quantiles } } : report);
        return result.Verdict.ExitCode;
    }

    /// <summary>
    /// The interface as the journal names it, found by its name of today; a removed adapter is found by its name in the journal.
    /// </summary>
    public static string InterfaceInJournal(JournalContents contents, LiveTuning live, string name)
    {
        List<string> known =
            [.. contents.Batches.SelectMany(b => b.Changes).Select(c => c.Change.Interface).OfType<string>().Distinct(StringComparer.OrdinalIgnoreCase)];
        IReadOnlyList<NetworkInterface> present = live.Snapshot().Interfaces;
        List<NetworkInterface> candidates =
            known.ConvertAll(k => Named(k) is var named && present.FirstOrDefault(p => IsSame(p.Guid, named.Guid)) is { } now ? now : named);
        NetworkInterface found = InterfaceLookup.Find(candidates, name);
        return known.First(k => IsSame(Named(k).Guid, found.Guid));
    }

    /// <summary>Splits "alias {GUID}" of the journal into alias and GUID.</summary>
    private static NetworkInterface Named(string name)
    {
        int guid = name.LastIndexOf('{');
        return guid <= 0 ? new NetworkInterface { Guid = name } : new NetworkInterface { Guid = name[guid..], Alias = name[..guid].TrimEnd() };
    }

    private static bool IsSame(string a, string b) => string.Equals(a, b, StringComparison.OrdinalIgnoreCase);
}
