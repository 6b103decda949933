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
            ParseResult parsed = Parse(args, host);
            if (parsed.Action is ParseErrorAction || parsed.Action == parsed.CommandResult.Command.Action)
            {
                IReadOnlyList<string> errors = UsageErrors.Of(parsed);
                foreach (string error in errors)
                {
                    host.Complain(error);
                }

                if (errors.Count > 0)
                {
                    return (int)ExitCode.Usage;
                }
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
            host.Complain(e.Message);
            return (int)e.Code;
        }
        catch (OperationCanceledException)
        {
            host.Complain("Cancelled.");
            return (int)ExitCode.Cancelled;
        }
        catch (IOException e)
        {
            // A full disk, or a reader of the output that went away.
            host.Complain($"The output could not be written: {e.Message.TrimEnd('.')}.");
            return (int)ExitCode.Platform;
        }
        catch (Exception e)
        {
            // Anything else is a bug, and the stack is what its report needs.
            host.Error.WriteLine($"This is a bug in latencytuner {CliHost.VersionText}; please report it with what follows.");
            host.Error.WriteLine(e);
            return (int)ExitCode.Bug;
        }
    }

    /// <summary>Parses; <c>@file</c> is a word like any other, and <c>-4ms</c> is no bundle of switches.</summary>
    public static ParseResult Parse(IReadOnlyList<string> args, CliHost host) =>
        Root(host).Parse(args, new ParserConfiguration { ResponseFileTokenReplacer = null, EnablePosixBundling = false });

    /// <summary>Runs a command's work off the thread that must stay free for Ctrl-C, on one of its own that is gone when the result is there.</summary>
    public static async Task<int> Start(Func<ExitCode> work)
    {
        // Awaited elsewhere than on the work's thread, which could not wait for its own end.
        TaskCompletionSource<int> done = new(TaskCreationOptions.RunContinuationsAsynchronously);
        Thread thread = new(() =>
        {
            try
            {
                done.SetResult((int)work());
            }
            catch (Exception e)
            {
                done.SetException(e);
            }
        })
        { IsBackground = true, Name = "command" };
        thread.Start();
        try
        {
            return await done.Task.ConfigureAwait(false);
        }
        finally
        {
            // A process that ends while one of its threads does dies of a signal under Wine 8: the thread's environment block is gone already
            // when the signal that ends it arrives.
            thread.Join();
        }
    }

    public static RootCommand Root(CliHost host)
    {
        RootCommand root = new("Finds out why TCP is slow, at which end, what it costs in milliseconds, and what cures it.")
        {
            CheckCommand.Create(host), ServeCommand.Create(host), MeasureCommand.Create(host), DiagnoseCommand.Create(host),
            SweepCommand.Create(host), AnalyzeCommand.Create(host), ConvertCommand.Create(host), TraceCommand.Create(host), CompareCommand.Create(host), ReportCommand.Create(host), MonitorCommand.Create(host),
            SettingsCommand.Create(host), SnapshotCommand.Create(host), RecommendCommand.Create(host),
            ApplyCommand.Create(host), VerifyCommand.Create(host), RollbackCommand.Create(host), HistoryCommand.Create(host), SetupCommand.Create(host),
            SelftestCommand.Create(host), ProfilesCommand.Create(host),
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
