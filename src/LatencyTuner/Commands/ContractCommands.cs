using System.CommandLine;
using System.Text.Json;
using LatencyTuner.Core;
using LatencyTuner.Core.Reporting;
using LatencyTuner.Core.Reporting.Contract;
using LatencyTuner.Hosting;

namespace LatencyTuner.Commands;

/// <summary><c>schema</c>, <c>exit-codes</c> and <c>completion</c>: the contract, for scripts.</summary>
internal static class ContractCommands
{
    private static readonly (ExitCode Code, string Meaning)[] Codes =
    [
        (ExitCode.Done, "done, or the gate passed"),
        (ExitCode.Finding, "a finding at or above --fail-on, or a threshold was passed"),
        (ExitCode.Usage, "the command line is not usable"),
        (ExitCode.Input, "an input is unreadable or corrupt"),
        (ExitCode.Platform, "the platform cannot do it, or the privilege is missing"),
        (ExitCode.Measurement, "the measurement failed: unreachable, refused, authentication, protocol"),
        (ExitCode.Change, "a change was not applied or not verified"),
        (ExitCode.CannotTell, "cannot tell: too little evidence (0 with --allow-inconclusive)"),
        (ExitCode.Bug, "a bug in this program"),
        (ExitCode.Cancelled, "cancelled"),
    ];

    public static Command Schema(CliHost host)
    {
        Argument<string?> kind = new("kind")
        {
            Description = "Kind of document; without one the kinds are listed.",
            HelpName = "kind",
            Arity = ArgumentArity.ZeroOrOne,
        };
        kind.CompletionSources.Add(_ => PublishedDocuments.Names.Select(k => new System.CommandLine.Completions.CompletionItem(k)));
        Command command = new("schema", "Prints the JSON Schema of a kind of document.") { kind };
        command.SetAction(parse =>
        {
            if (parse.GetValue(kind) is { } name)
            {
                host.Out.Write(PublishedDocuments.SchemaOf(name));
            }
            else
            {
                // One a line for scripts; on a screen, where they would not fit, several.
                foreach (string[] known in PublishedDocuments.Names.Chunk(host.OutIsTerminal ? 4 : 1))
                {
                    host.Out.WriteLine(string.Concat(known.Select(k => k.PadRight(20))).TrimEnd());
                }
            }

            return (int)ExitCode.Done;
        });
        return command;
    }

    public static Command ExitCodes(CliHost host)
    {
        CommonOptions common = new();
        Command command = new("exit-codes", "Prints the exit codes.");
        common.AddTo(command);
        command.SetAction(parse =>
        {
            CommonValues values = common.Values(parse);
            if (values.Format != ReportFormat.Text || values.Output is not null)
            {
                using ReportOutput output = new(host, values);
                output.Write(ExitCodesReport.Of(
                    [.. Codes.Select(c => new PublishedExitCode((int)c.Code, JsonNamingPolicy.KebabCaseLower.ConvertName(c.Code.ToString()), c.Meaning))]));
                return (int)ExitCode.Done;
            }

            foreach ((ExitCode code, string meaning) in Codes)
            {
                host.Out.WriteLine($"{(int)code,3}  {meaning}");
            }

            return (int)ExitCode.Done;
        });
        return command;
    }

    public static Command Completion(CliHost host)
    {
        string[] shells = ["powershell", "bash"];
        Argument<string> shell = new("shell") { Description = "powershell or bash.", CustomParser = result => Symbols.OneOf(result, "shell", shells) };
        shell.CompletionSources.Add(shells);
        Command command = new("completion", "Prints the script that completes this program's commands and options in a shell.") { shell };
        command.SetAction(parse =>
        {
            host.Out.Write(parse.GetValue(shell) == "bash" ? CompletionScripts.Bash : CompletionScripts.PowerShell);
            return (int)ExitCode.Done;
        });
        return command;
    }
}
