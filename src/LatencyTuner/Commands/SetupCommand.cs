using System.CommandLine;
using LatencyTuner.Core;
using LatencyTuner.Hosting;

namespace LatencyTuner.Commands;

/// <summary><c>setup</c>: the journal's folder and the Event Log source.</summary>
internal static class SetupCommand
{
    public static Command Create(CliHost host)
    {
        Option<bool> remove = new("--remove") { Description = "Undo the setup; a journal and the entries in the Event Log stay." };
        Option<bool> withJournal = new("--with-journal")
        {
            Description = "With --remove: also remove the journal and its backups. Refused while a change is in force.",
        };
        Command command = new(
            "setup", "Creates the folder of the journal, for administrators only, and registers the Event Log source. apply works without it.") {
                remove, withJournal };
        command.Validators.Add(result =>
        {
            if (result.GetValue(withJournal) && !result.GetValue(remove))
            {
                result.AddError("--with-journal needs --remove: give both, or neither.");
            }
        });
        command.SetAction((parse, _) => Cli.Start(() =>
        {
            Func<SetupStep, IReadOnlyList<string>> setup = host.Setup
                ?? throw new ExpectedFailureException(ExitCode.Platform, $"setup works on Windows only, and this is {CliHost.Tool.Os}.");
            SetupStep step = parse.GetValue(withJournal) ? SetupStep.RemoveJournal : parse.GetValue(remove) ? SetupStep.Remove : SetupStep.Create;
            foreach (string sentence in setup(step))
            {
                host.Out.WriteLine(sentence);
            }

            return ExitCode.Done;
        }));
        return command;
    }
}
