using System.CommandLine;
using System.CommandLine.Help;
using System.CommandLine.Invocation;
using LatencyTuner.Core;
using LatencyTuner.Hosting;

namespace LatencyTuner.Commands;

/// <summary>The whole command line: builds the commands, parses, runs, and maps every way to fail to its exit code.</summary>
internal static class Cli
{
    public static async Task<int> RunAsync(string[] args, CliHost host, CancellationToken cancellation = default)
    {
        try
        {
            ParseResult parsed = Root(host).Parse(args, new ParserConfiguration { ResponseFileTokenReplacer = null });
            if (parsed.Action is ParseErrorAction errors)
            {
                // stdout carries reports only: the errors and the hints at what was meant both go to stderr.
                errors.ShowHelp = false;
                await parsed.InvokeAsync(new InvocationConfiguration { Output = host.Error, Error = host.Error }, cancellation).ConfigureAwait(false);
                return (int)ExitCode.Usage;
            }

            InvocationConfiguration configuration = new()
            {
                Output = host.Out,
                Error = host.Error,
                EnableDefaultExceptionHandler = false,
                ProcessTerminationTimeout = TimeSpan.FromSeconds(15),
            };
            return await parsed.InvokeAsync(configuration, cancellation).ConfigureAwait(false);
        }
        catch (ExpectedFailureException e)
        {
            host.Error.WriteLine(e.Message);
            return (int)e.Code;
        }
        catch (OperationCanceledException)
        {
            host.Error.WriteLine("Cancelled.");
            return (int)ExitCode.Cancelled;
        }
        catch (Exception e)
        {
            // Anything else is a bug, and the stack is what its report needs.
            host.Error.WriteLine($"This is a bug in latencytuner {CliHost.VersionText}; please report it with what follows.");
            host.Error.WriteLine(e);
            return (int)ExitCode.Bug;
        }
    }

    /// <summary>Runs a command's work off the thread that must stay free for Ctrl-C.</summary>
    public static Task<int> Start(Func<ExitCode> work) =>
        Task.Factory.StartNew(() => (int)work(), CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);

    public static RootCommand Root(CliHost host)
    {
        RootCommand root = new("Finds out why TCP is slow, at which end, what it costs in milliseconds, and what cures it.")
        {
            CheckCommand.Create(host), ServeCommand.Create(host), MeasureCommand.Create(host), DiagnoseCommand.Create(host),
            SweepCommand.Create(host), CompareCommand.Create(host),
            SettingsCommand.Create(host), SnapshotCommand.Create(host),
            ContractCommands.Schema(host), ContractCommands.ExitCodes(host), ContractCommands.Completion(host),
        };
        foreach (Option option in root.Options)
        {
            if (option is HelpOption help)
            {
                help.Action = new HelpExamples((HelpAction)help.Action!);
            }
        }

        return root;
    }
}
