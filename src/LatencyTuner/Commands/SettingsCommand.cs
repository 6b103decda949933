using System.CommandLine;
using LatencyTuner.Core.Analysis;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Reporting.Settings;
using LatencyTuner.Core.Settings;
using LatencyTuner.Hosting;

namespace LatencyTuner.Commands;

/// <summary><c>settings list|show|explain</c>: every setting with its value, and what is known of it.</summary>
internal static class SettingsCommand
{
    private static readonly HostSnapshot NoValues = new()
    {
        Os = new(),
        Notes = ["No value was read, because this is not Windows. Run this on the host, or give --snapshot FILE with a snapshot of it."],
    };

    public static Command Create(CliHost host) => new("settings", "Shows every setting with actual value, default and effect, or why it does nothing.")
    {
        List(host), One(host, "show", "Shows the values of one setting.", explain: false),
        One(host, "explain", "Explains one setting: what it does, what it costs, or why it does nothing, with sources.", explain: true),
    };

    private static Command List(CliHost host)
    {
        Command command = new("list", "Lists every value with the audit's verdict.");
        Add(host, command, id: null, explain: false);
        return command;
    }

    private static Command One(CliHost host, string name, string description, bool explain)
    {
        Argument<string> id = new("id") { Description = "Id of the setting, or its name in Windows." };
        id.CompletionSources.Add(_ => SettingsCatalogue.Current.All.Select(d =>
            new System.CommandLine.Completions.CompletionItem(d.Id, documentation: $"{d.Title}: {d.What}")));
        Command command = new(name, description) { id };
        Add(host, command, id, explain);
        return command;
    }

    private static void Add(CliHost host, Command command, Argument<string>? id, bool explain)
    {
        Option<string?> snapshotFile = new("--snapshot")
        {
            Description = "Read a snapshot, a .reg export or a folder of registry hives instead of this machine.",
            HelpName = "file",
        };
        Option<string> profile = ProfileOption.Create();
        Option<string?> only = new("--interface")
        {
            Description = "Only this interface and the values of the whole machine: name, GUID, index or address.",
            HelpName = "interface",
        };
        Option<string> failOn = FailOn.Option("none");
        CommonOptions common = new(list: id is null);
        command.Options.Add(snapshotFile);
        command.Options.Add(profile);
        command.Options.Add(only);
        command.Options.Add(failOn);
        common.AddTo(command);
        command.SetAction((parse, _) => Cli.Start(() =>
        {
            using ReportOutput output = new(host, common.Values(parse), parse.GetValue(failOn)!);
            SettingDefinition? setting = id is null ? null : SettingsCatalogue.Current.Find(parse.GetValue(id)!);
            string? path = parse.GetValue(snapshotFile);
            // What is known of a setting needs no value of it.
            (HostSnapshot snapshot, string source) = explain && path is null && host.LiveSnapshot is null ? (NoValues, "the catalogue")
                : SnapshotFiles.ReadOrTake(host, path);
            NetworkInterface? chosen = parse.GetValue(only) is { } name ? InterfaceLookup.Find(snapshot.Interfaces, name) : null;
            SettingsReport report =
                SettingsReportBuilder.From(SettingsCatalogue.Current, snapshot, source, ProfileOption.Value(parse, profile), setting, chosen, explain,
                    new Gate { FailOn = FailOn.Parse(parse.GetValue(failOn)) });
            output.Write(report);
            return report.Judgement.ExitCode;
        }));
    }
}
