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
        Option<string?> batch = new("--batch") { Description = "Roll back this batch; 'latencytuner history' lists the batches.", HelpName = "id" };
        Option<string?> setting = new("--setting") { Description = "Roll back this setting, in all batches.", HelpName = "id" };
        Option<string?> of = new("--interface") { Description = "With --setting: only on this interface.", HelpName = "interface" };
        Option<bool> all = new("--all") { Description = "Roll back everything that is in force." };
        Option<bool> force = new("--force") { Description = "Also put back values that someone else or a later batch has changed since." };
        Option<bool> untilDamage = new("--until-damage") { Description = "Of a damaged journal, put back what the records before the damage list." };
        Option<bool> yes = new("--yes") { Description = "Make the changes; without --yes they are only shown." };
        CommonOptions common = new();
        Command command = new(
            "rollback",
            "Puts back exactly what was there before: type, data, absence, and keys that were created. Without --yes it only shows the changes.") {
                batch, setting, of, all, force, untilDamage, yes };
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
            LiveTuning live = TuningRuns.Require(host, "Changes can be rolled back");
            TuningContext context = TuningRuns.Context(live, host);
            RollbackSelection selection = (parse.GetValue(batch), parse.GetValue(setting), parse.GetValue(all)) switch
            {
                ({ } id, _, _) => new RollbackSelection.Batch(id),
                (_, { } id, _) => Setting(live, id, parse.GetValue(of)),
                (_, _, true) => new RollbackSelection.All(),
                _ when parse.GetValue(untilDamage) => new RollbackSelection.All(),
                _ => TheOnlyOne(live),
            };
            TuningResult result = new Rollback(context).Run(selection, whatIf: !parse.GetValue(yes), parse.GetValue(force), parse.GetValue(untilDamage));
            return TuningRuns.Finish(host, output, live, context.Machine, result);
        }));
        return command;
    }

    private static RollbackSelection.Setting Setting(LiveTuning live, string id, string? of) => new(
        SettingsCatalogue.Current.Find(id).Id,
        of is null ? null : TuningRuns.InterfaceInJournal(Journal.Read(live.Folder), live, of));

    /// <summary>Without an option: the batch in force when there is only one. When there are several, the admin must choose.</summary>
    private static RollbackSelection TheOnlyOne(LiveTuning live)
    {
        JournalContents contents = Journal.Read(live.Folder);
        List<JournaledBatch> active = [.. contents.Batches.Where(b => b.IsActive)];
        return active switch
        {
            _ when contents.Tail == JournalTail.Damaged => new RollbackSelection.All(),
            [] => new RollbackSelection.All(),
            [var only] => new RollbackSelection.Batch(only.Id),
            _ => throw new ExpectedFailureException(
                ExitCode.Usage,
                $"{active.Count} batches are in force: give --batch {string.Join(", --batch ", active.Select(b => b.Id).TakeLast(5))}, "
                + "--setting ID or --all. Nothing was changed."),
        };
    }
}
