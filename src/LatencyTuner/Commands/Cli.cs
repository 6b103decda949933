using System.CommandLine;
using System.CommandLine.Help;
using System.CommandLine.Invocation;
using System.CommandLine.Parsing;
using LatencyTuner.Core;
using LatencyTuner.Hosting;

namespace LatencyTuner.Commands;

/// <summary>The whole command line: builds the commands, parses, runs, and maps every way to fail to its exit code.</summary>
internal static class Cli
{
    public static async Task<int> RunAsync(string[] args, CliHost host, CancellationToken cancellation = default)
    {
        if (args is [CommandCompletion.Name, var asked])
        {
            // Before the parser: it is no command for people, and no list or help has it.
            CommandCompletion.Answer(asked, host);
            return (int)ExitCode.Done;
        }

        FailedCommand failed = new(args, host);
        host.Lines = failed.Lines();
        host.Traces = args is [DscCommand.Name, ..] ? new DscTraceLines(host.Error, host.DscTraceLevel) : null;
        host.Lines?.Started(CliHost.VersionText, Environment.ProcessId);
        int code = await InvokeAsync(args, host, failed, cancellation).ConfigureAwait(false);
        if (code != (int)ExitCode.Done)
        {
            failed.Report((ExitCode)code);
        }

        if (code == (int)ExitCode.Measurement)
        {
            foreach (string hint in host.Hints)
            {
                host.Complain(hint);
            }
        }

        host.Lines?.Ended(code);
        return code;
    }

    private static async Task<int> InvokeAsync(string[] args, CliHost host, FailedCommand failed, CancellationToken cancellation)
    {
        try
        {
            ParseResult parsed = Parse(args, host);
            if (parsed.Action is ParseErrorAction || parsed.Action == parsed.CommandResult.Command.Action)
            {
                IReadOnlyList<string> errors = UsageErrors.Of(parsed);
                foreach (string error in errors)
                {
                    failed.Complain(error);
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
            if (host.Lines is not null && failed.File is null && parsed.Action == parsed.CommandResult.Command.Action)
            {
                throw new ExpectedFailureException(
                    ExitCode.Usage, "--progress jsonl writes to stdout, so the report needs a file: add --output FILE (for 'trace', --report FILE).");
            }

            using StopFile? stop = StopWith(parsed) is { } file ? StopFile.Watch(file, host.Time) : null;
            using CancellationTokenSource either = CancellationTokenSource.CreateLinkedTokenSource(cancellation, stop?.Cancellation ?? default);
            return await parsed.InvokeAsync(configuration, either.Token).ConfigureAwait(false);
        }
        catch (ExpectedFailureException e)
        {
            failed.Complain(e.Message);
            return (int)e.Code;
        }
        catch (OperationCanceledException)
        {
            failed.Complain("Cancelled.");
            return (int)ExitCode.Cancelled;
        }
        catch (IOException e)
        {
            // A full disk, or a reader of the output that went away.
            failed.Complain($"The output could not be written: {e.Message.TrimEnd('.')}.");
            return (int)ExitCode.Platform;
        }
        catch (Exception e)
        {
            // Anything else is a bug, and the stack is what its report needs.
            if (host.Traces is not null)
            {
                host.Complain($"This is a bug in latencytuner {CliHost.VersionText}; please report it with what follows. {e}");
            }
            else
            {
                host.Error.WriteLine($"This is a bug in latencytuner {CliHost.VersionText}; please report it with what follows.");
                host.Error.WriteLine(e);
            }

            failed.Sentence = $"This is a bug in latencytuner: {e.GetType().Name}: {e.Message}";
            return (int)ExitCode.Bug;
        }
    }

    private static string? StopWith(ParseResult parsed) =>
        parsed.CommandResult.Children.OfType<OptionResult>().FirstOrDefault(o => o.Option.Name == CommonOptions.StopWithName)?.Tokens is [var file]
            ? file.Value : null;

    /// <summary>Parses; <c>@file</c> is a word like any other, and <c>-4ms</c> is no bundle of switches.</summary>
    public static ParseResult Parse(IReadOnlyList<string> args, CliHost host) =>
        Root(host, args.Count > 0 && CommandTable.All.Any(c => c.Name == args[0]) ? args[0] : null).Parse(
            args, new ParserConfiguration { ResponseFileTokenReplacer = null, EnablePosixBundling = false });

    /// <summary>Runs a command's work on a thread of its own, because this one must stay free for Ctrl-C. It has ended when the result is returned.</summary>
    public static async Task<int> Start(Func<ExitCode> work)
    {
        // The code after the await must not run on the work's thread, which could not wait for its own end.
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
            // Wine 8 kills a process that ends while one of its threads is ending: the thread's environment block is already freed when the
            // signal that ends the thread arrives.
            thread.Join();
        }
    }

    /// <summary>The whole command line.</summary>
    /// <param name="host">The streams, console and machine that the commands use.</param>
    /// <param name="only">The one command that is needed; null for all.</param>
    public static RootCommand Root(CliHost host, string? only = null)
    {
        RootCommand root = new("Finds out why TCP is slow, at which end, what it costs in milliseconds, and what cures it.");
        // The library's own [suggest] fails on --option=value; the shells ask CommandCompletion.
        root.Directives.Clear();
        // Making all commands takes longer than most of them run.
        foreach (CommandEntry entry in CommandTable.All.Where(c => only is null || c.Name == only))
        {
            root.Subcommands.Add(entry.Create(host));
        }

        foreach (Option option in root.Options)
        {
            if (option is HelpOption help)
            {
                help.Action = new HelpScreens((HelpAction)help.Action!, host.Width);
            }
        }

        return root;
    }
}
