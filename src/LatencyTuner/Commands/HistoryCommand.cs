using System.CommandLine;
using LatencyTuner.Core.Tuning;
using LatencyTuner.Hosting;

namespace LatencyTuner.Commands;

/// <summary><c>history</c>: the journal.</summary>
internal static class HistoryCommand
{
    public static Command Create(CliHost host)
    {
        CommonOptions common = new();
        Command command = new("history", "Lists what was applied and put back on this machine, by whom, with the ticket.");
        common.AddTo(command);
        command.SetAction((parse, _) => Cli.Start(() =>
        {
            using ReportOutput output = new(host, common.Values(parse));
            LiveTuning live = TuningRuns.Require(host, "The journal of changes is kept");
            TuningContext context = TuningRuns.Context(live, host);
            return TuningRuns.Finish(host, output, live, context.Machine, new Verification(context).History());
        }));
        return command;
    }
}
