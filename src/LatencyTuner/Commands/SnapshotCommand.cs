using System.CommandLine;
using LatencyTuner.Core;
using LatencyTuner.Hosting;

namespace LatencyTuner.Commands;

/// <summary><c>snapshot</c>: this host's settings as a document.</summary>
internal static class SnapshotCommand
{
    public static Command Create(CliHost host)
    {
        CommonOptions common = new();
        Command command = new(
            "snapshot", "Takes this host as evidence: Windows build, adapters, every setting, absent ones included; --format json to keep it.");
        common.AddTo(command);
        command.SetAction((parse, _) => Cli.Start(() =>
        {
            using ReportOutput output = new(host, common.Values(parse));
            output.Write(SnapshotFiles.Take(host, "A snapshot is taken"));
            return ExitCode.Done;
        }));
        return command;
    }
}
