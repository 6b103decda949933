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
            "snapshot", "Records this host: Windows build, adapters, every setting, absent ones included. Keep it with --format json.");
        common.AddTo(command);
        command.SetAction((parse, _) => Cli.Start(() =>
        {
            using ReportOutput output = new(host, common.Values(parse));
            output.Write(SnapshotFiles.Take(host, "A snapshot can be taken"));
            return ExitCode.Done;
        }));
        return command;
    }
}
