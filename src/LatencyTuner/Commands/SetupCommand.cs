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
        Command command = new(
            "setup", "Creates the folder of the journal, for administrators only, and registers the Event Log source. apply works without it.") { remove };
        command.SetAction((parse, _) => Cli.Start(() =>
        {
            Func<bool, IReadOnlyList<string>> setup = host.Setup
                ?? throw new ExpectedFailureException(ExitCode.Platform, $"setup works on Windows only, and this is {CliHost.Tool.Os}.");
            foreach (string sentence in setup(parse.GetValue(remove)))
            {
                host.Out.WriteLine(sentence);
            }

            return ExitCode.Done;
        }));
        return command;
    }
}
