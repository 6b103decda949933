using System.CommandLine;
using LatencyTuner.Hosting;

namespace LatencyTuner.Commands;

/// <summary>What a command is for.</summary>
internal enum CommandGroup
{
    Measure,
    Recordings,
    Settings,
    Tools,
}

/// <summary>A command of the program.</summary>
/// <param name="Group">The group that it is listed in.</param>
/// <param name="Name">Its name.</param>
/// <param name="Summary">What it is for, in at most 27 characters.</param>
/// <param name="Create">Makes it.</param>
internal sealed record CommandEntry(CommandGroup Group, string Name, string Summary, Func<CliHost, Command> Create);

/// <summary>All commands, in the order in which they are listed.</summary>
internal static class CommandTable
{
    public static readonly IReadOnlyList<CommandEntry> All =
    [
        new(CommandGroup.Measure, "check", "one verdict, one exit code", CheckCommand.Create),
        new(CommandGroup.Measure, "serve", "the other end of a path", ServeCommand.Create),
        new(CommandGroup.Measure, "token", "a secret for both ends", TokenCommand.Create),
        new(CommandGroup.Measure, "measure", "latency and distributions", MeasureCommand.Create),
        new(CommandGroup.Measure, "diagnose", "which end waits, and cures", DiagnoseCommand.Create),
        new(CommandGroup.Measure, "sweep", "by rate, size, buffers ...", SweepCommand.Create),
        new(CommandGroup.Measure, "monitor", "for hours to weeks", MonitorCommand.Create),
        new(CommandGroup.Measure, "sockets", "who has Nagle on, now", SocketsCommand.Create),
        new(CommandGroup.Recordings, "analyze", "captures, .etl traces", AnalyzeCommand.Create),
        new(CommandGroup.Recordings, "trace", "live TCP events (Windows)", TraceCommand.Create),
        new(CommandGroup.Recordings, "profiles", "what to record with ETW", ProfilesCommand.Create),
        new(CommandGroup.Recordings, "convert", ".etl to pcapng", ConvertCommand.Create),
        new(CommandGroup.Recordings, "compare", "before and after", CompareCommand.Create),
        new(CommandGroup.Recordings, "report", "any results together", ReportCommand.Create),
        new(CommandGroup.Settings, "settings", "values, and what each does", SettingsCommand.Create),
        new(CommandGroup.Settings, "snapshot", "records this host", SnapshotCommand.Create),
        new(CommandGroup.Settings, "recommend", "what to change, the gain", RecommendCommand.Create),
        new(CommandGroup.Settings, "apply", "changes, with a journal", ApplyCommand.Create),
        new(CommandGroup.Settings, "verify", "in force? did it help?", VerifyCommand.Create),
        new(CommandGroup.Settings, "rollback", "puts back what was there", RollbackCommand.Create),
        new(CommandGroup.Settings, "history", "what was changed, by whom", HistoryCommand.Create),
        new(CommandGroup.Settings, DscCommand.Name, "for Microsoft DSC v3", DscCommand.Create),
        new(CommandGroup.Settings, "setup", "journal folder, event log", SetupCommand.Create),
        new(CommandGroup.Tools, "selftest", "probes this Windows", SelftestCommand.Create),
        new(CommandGroup.Tools, "schema", "JSON Schemas", ContractCommands.Schema),
        new(CommandGroup.Tools, "exit-codes", "what each one means", ContractCommands.ExitCodes),
        new(CommandGroup.Tools, "completion", "for PowerShell and bash", ContractCommands.Completion),
        new(CommandGroup.Tools, "help", "of a command or a topic", HelpTopics.Create),
    ];
}
