using System.CommandLine;
using LatencyTuner.Core;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Settings;
using LatencyTuner.Core.Tuning;
using LatencyTuner.Core.Tuning.Dsc;
using LatencyTuner.Hosting;

namespace LatencyTuner.Commands;

/// <summary><c>dsc</c>: the command resource of Microsoft DSC v3, which <c>LatencyTuner.dsc.resource.json</c> describes.</summary>
internal static class DscCommand
{
    public const string Name = "dsc";

    /// <summary>DSC writes the input as soon as it has started the program.</summary>
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(10);

    public static Command Create(CliHost host) => new(
        Name, "The command resource of Microsoft DSC 3.2: reads an instance as JSON from standard input, writes JSON lines. DSC calls it.")
    {
        Operation(host, "get", "Gives the values that are there.", canChange: false, (r, i, _) => r.Get(i)),
        Operation(host, "test", "Compares with what is wanted. A difference is no failure: exit code 0.", canChange: false, (r, i, _) => r.Test(i)),
        Operation(host, "set", "Writes what is wanted, with journal and read-back; 'rollback' undoes it.", canChange: true, (r, i, whatIf) => r.Set(i, whatIf)),
        Operation(
            host, "delete", "Deletes the values, so that Windows does what it does by default.", canChange: true, (r, i, whatIf) => r.Delete(i, whatIf)),
        Operation(host, "export", "Gives one instance with all values that could be set here.", canChange: false, (r, i, _) => r.Export(i)),
        Schema(host),
    };

    private static Command Schema(CliHost host)
    {
        Command command = new("schema", "Prints the JSON Schema of an instance.");
        command.SetAction(_ =>
        {
            host.Out.Write(DscSchema.Text());
            return (int)ExitCode.Done;
        });
        return command;
    }

    private static Command Operation(CliHost host, string name, string description, bool canChange, Func<DscResource, DscInstance?, bool, DscAnswer> run)
    {
        Option<string?> input = new("--input") { Description = "Read the instance from this file instead of standard input.", HelpName = "file" };
        Option<string?> snapshotFile = new("--snapshot")
        {
            Description = "Read the values of a snapshot, a .reg export or registry hives instead of this machine.",
            HelpName = "file",
        };
        Option<bool> whatIf = new("--what-if") { Description = "Change nothing; say what would be changed. Needs no privilege." };
        Command command = new(name, description) { input, snapshotFile };
        if (canChange)
        {
            command.Options.Add(whatIf);
            command.Validators.Add(result =>
            {
                if (result.GetValue(snapshotFile) is not null && !result.GetValue(whatIf))
                {
                    result.AddError("--snapshot needs --what-if: a snapshot cannot be changed.");
                }
            });
        }

        command.SetAction((parse, _) => Cli.Start(() =>
        {
            DscInstance? instance = DscInput.Read(Read(host, parse.GetValue(input), needsInput: name is not ("get" or "export")));
            string? path = parse.GetValue(snapshotFile);
            LiveTuning? live = path is not null ? null
                : TuningRuns.Require(host, "Settings can be read and changed", ". Give --snapshot FILE to look at a snapshot");
            HostSnapshot snapshot = live?.Snapshot() ?? SnapshotFiles.Read(host, path!);
            bool isWhatIf = canChange && parse.GetValue(whatIf);
            return Run(host, live, snapshot, path, instance, r => run(r, instance, isWhatIf));
        }));
        return command;
    }

    private static ExitCode Run(CliHost host, LiveTuning? live, HostSnapshot snapshot, string? path, DscInstance? instance, Func<DscResource, DscAnswer> run)
    {
        ChangeRules rules = CatalogueRules.Of(SettingsCatalogue.Current, snapshot.Interfaces, instance?.Force == true);
        TuningContext context = live?.Context(rules, host.Time) ?? TuningRuns.OfSnapshot(host, snapshot, path!, rules);
        DscResource resource = new(context, snapshot, () => TuningRuns.Request(host, live, context.Machine));
        DscAnswer answer;
        try
        {
            answer = run(resource);
        }
        catch (ExpectedFailureException e)
        {
            throw new ExpectedFailureException(e.Code, InProperties(e.Message), e);
        }

        if (live is not null && answer.Result is { } result && TuningRuns.Record(live, result, instance?.Ticket) is { } missing)
        {
            host.Traces?.Write(DscTraceLevel.Warn, missing);
        }

        foreach (DscTrace trace in answer.Traces)
        {
            host.Traces?.Write(trace.Level, trace.Text);
        }

        foreach (string line in answer.Lines)
        {
            host.Out.Write(line + "\n");
        }

        host.Out.Flush();
        return answer.Result is { Outcome: not TuningOutcome.WhatIf } done ? done.Verdict.ExitCode : ExitCode.Done;
    }

    /// <summary>The sentences of apply name its options; an instance has properties in their place.</summary>
    private static string InProperties(string sentence) => sentence
        .Replace("--interface", "\"interface\"", StringComparison.Ordinal).Replace("--template", "\"template\"", StringComparison.Ordinal)
        .Replace("--filter", "\"filter\"", StringComparison.Ordinal).Replace("--force", "\"force\": true", StringComparison.Ordinal);

    /// <summary>
    /// The input; empty where DSC gives none: then it passes its own standard input on, which may be a terminal that nobody types into, or a pipe that nobody
    /// closes.
    /// </summary>
    private static byte[] Read(CliHost host, string? file, bool needsInput)
    {
        if (file is null && host.InputIsTerminal)
        {
            return !needsInput ? [] : throw new ExpectedFailureException(
                ExitCode.Usage, "An instance is expected as JSON on standard input, and that is a terminal. Give --input FILE, or call it through dsc.");
        }

        string source = file ?? CliHost.StandardInput;
        try
        {
            Stream stream = host.OpenNamed(source);
            TaskCompletionSource begun = new(TaskCreationOptions.RunContinuationsAsynchronously);
            Task<byte[]> reading = Task.Run(() => ReadWhole(stream, begun));
            return needsInput || file is not null || begun.Task.Wait(Patience) ? reading.GetAwaiter().GetResult() : [];
        }
        catch (Exception e) when (UnreadableFile.Explains(e))
        {
            throw UnreadableFile.Of(source, e);
        }
    }

    private static byte[] ReadWhole(Stream stream, TaskCompletionSource begun)
    {
        try
        {
            using (stream)
            {
                using MemoryStream whole = new();
                byte[] part = new byte[1 << 16];
                for (int n; whole.Length <= DscInput.MaxBytes && (n = stream.Read(part)) > 0;)
                {
                    _ = begun.TrySetResult();
                    whole.Write(part, 0, n);
                }

                return whole.ToArray();
            }
        }
        finally
        {
            _ = begun.TrySetResult();
        }
    }
}
