using LatencyTuner.Core;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Reporting.Changes;
using LatencyTuner.Core.Settings;
using LatencyTuner.Core.Tuning;
using LatencyTuner.Hosting;

namespace LatencyTuner.Commands;

/// <summary>What apply, verify, rollback and history share.</summary>
internal static class TuningRuns
{
    /// <summary>This machine as something that can be changed.</summary>
    /// <param name="host">The process.</param>
    /// <param name="what">What needs it, the beginning of a sentence.</param>
    /// <param name="instead">What to do without it, the end of a sentence.</param>
    public static LiveTuning Require(CliHost host, string what, string instead = "") =>
        host.LiveTuning?.Invoke() ?? throw new ExpectedFailureException(ExitCode.Platform, $"{what} on Windows only, and this is {CliHost.Tool.Os}{instead}.");

    /// <summary>What is needed to put back and to look: no interface has to be there for it.</summary>
    public static TuningContext Context(LiveTuning live, CliHost host) => live.Context(CatalogueRules.Of(SettingsCatalogue.Current, null), host.Time);

    /// <summary>Writes the report and the entry of the Event Log.</summary>
    public static ExitCode Finish(CliHost host, ReportOutput output, LiveTuning? live, MachineIdentity machine, TuningResult result, string? ticket = null)
    {
        if (live is not null && BatchEvent.Of(result, live.Operator, ticket) is { } entry && live.Report(entry) is { } missing)
        {
            result = result with { Notes = [.. result.Notes, missing] };
        }

        output.Write(ChangeReportBuilder.From(result, machine, host.Time.GetUtcNow()));
        return result.Verdict.ExitCode;
    }

    /// <summary>
    /// The interface as the journal names it, of what an admin calls it now; an adapter that is gone is known by the journal alone.
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

    /// <summary>The journal's "alias {GUID}" in its parts.</summary>
    private static NetworkInterface Named(string name)
    {
        int guid = name.LastIndexOf('{');
        return guid <= 0 ? new NetworkInterface { Guid = name } : new NetworkInterface { Guid = name[guid..], Alias = name[..guid].TrimEnd() };
    }

    private static bool IsSame(string a, string b) => string.Equals(a, b, StringComparison.OrdinalIgnoreCase);
}
