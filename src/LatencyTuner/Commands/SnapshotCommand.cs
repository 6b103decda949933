using System.CommandLine;
using LatencyTuner.Core;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Sockets;
using LatencyTuner.Hosting;

namespace LatencyTuner.Commands;

/// <summary><c>snapshot</c>: this host's settings as a document.</summary>
internal static class SnapshotCommand
{
    public static Command Create(CliHost host)
    {
        Option<bool> sockets = new("--sockets") { Description = "Keep the TCP sockets and their processes too, as the command sockets lists them." };
        CommonOptions common = new();
        Command command = new(
            "snapshot", "Records this host: Windows build, adapters, every setting, absent ones included. Keep it with --format json.");
        command.Options.Add(sockets);
        common.AddTo(command);
        command.SetAction((parse, _) => Cli.Start(() =>
        {
            using ReportOutput output = new(host, common.Values(parse));
            HostSnapshot snapshot = SnapshotFiles.Take(host, "A snapshot can be taken");
            SocketSnapshot? read = parse.GetValue(sockets) ? SocketsRun.Require(host)(SocketSelection.All) : null;
            output.Write(read is null ? snapshot : snapshot with
            {
                Sockets = read.Sockets,
                UnreadableProcesses = read.Unreadable,
                Notes = [.. snapshot.Notes, .. read.Notes],
            });
            return ExitCode.Done;
        }));
        return command;
    }
}
