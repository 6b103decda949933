using System.CommandLine;
using LatencyTuner.Core;
using LatencyTuner.Core.Settings;
using LatencyTuner.Core.Tuning;
using LatencyTuner.Hosting;

namespace LatencyTuner.Commands;

/// <summary><c>rollback</c>: puts back exactly what was there.</summary>
internal static class RollbackCommand
{
    public static Command Create(CliHost host)
    {
        Option<string?> batch = new("--batch") { Description = "This batch; history lists them.", HelpName = "id" };
        Option<string?> setting = new("--setting") { Description = "This setting, in whichever batches.", HelpName = "id" };
        Option<string?> of = new("--interface") { Description = "With --setting: only of this interface.", HelpName = "interface" };
        Option<bool> all = new("--all") { Description = "Everything that is in force." };
        Option<bool> force = new("--force") { Description = "Also where someone else has changed the value since, or a later batch has." };
        Option<bool> yes = new("--yes") { Description = "Do it; without, it is only shown." };
        CommonOptions common = new();
        Command command = new(
            "rollback",
            "Puts back exactly what was there before: type, data, absence, and keys that were created. Shows it; --yes does it.") {
                batch, setting, of, all, force, yes };
        common.AddTo(command);
        command.Validators.Add(result =>
        {
            if (new[] { result.GetValue(batch) is not null, result.GetValue(setting) is not null, result.GetValue(all) }.Count(given => given) > 1)
            {
                result.AddError("--batch, --setting and --all exclude each other: give one of them.");
            }

            if (result.GetValue(of) is not null && result.GetValue(setting) is null)
            {
                result.AddError("--interface needs --setting: a batch is rolled back as a whole.");
            }
        });
        command.SetAction((parse, _) => Cli.Start(() =>
        {
            using ReportOutput output = new(host, common.Values(parse));
            LiveTuning live = TuningRuns.Require(host, "Changes are rolled back");
            TuningContext context = TuningRuns.Context(live, host);
            RollbackSelection selection = (parse.GetValue(batch), parse.GetValue(setting), parse.GetValue(all)) switch
            {
                ({ } id, _, _) => new RollbackSelection.Batch(id),
                (_, { } id, _) => Setting(live, id, parse.GetValue(of)),
                (_, _, true) => new RollbackSelection.All(),
                _ => TheOnlyOne(live),
            };
            TuningResult result = new Rollback(context).Run(selection, whatIf: !parse.GetValue(yes), parse.GetValue(force));
            return TuningRuns.Finish(host, output, live, context.Machine, result);
        }));
        return command;
    }

    private static RollbackSelection.Setting Setting(LiveTuning live, string id, string? of) => new(
        SettingsCatalogue.Current.Find(id).Id,
        of is null ? null : TuningRuns.InterfaceInJournal(Journal.Read(live.Folder), live, of));

    /// <summary>Nothing was said: the batch in force where there is one only; where there are several, which one is the admin's to say.</summary>
    private static RollbackSelection TheOnlyOne(LiveTuning live)
    {
        List<JournaledBatch> active = [.. Journal.Read(live.Folder).Batches.Where(b => b.IsActive)];
        return active switch
        {
            [] => new RollbackSelection.All(),
            [var only] => new RollbackSelection.Batch(only.Id),
            _ => throw new ExpectedFailureException(
                ExitCode.Usage,
                $"{active.Count} batches are in force, so say which: --batch {string.Join(", --batch ", active.Select(b => b.Id).TakeLast(5))}, "
                + "--setting ID, or --all. Nothing was changed."),
        };
    }
}
