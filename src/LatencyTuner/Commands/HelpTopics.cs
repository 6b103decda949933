using System.CommandLine;
using LatencyTuner.Core;
using LatencyTuner.Hosting;

namespace LatencyTuner.Commands;

/// <summary><c>help</c>: the help of a command, or a topic that belongs to several commands.</summary>
internal static class HelpTopics
{
    // Each at most 22 lines of 80 columns.
    private static readonly Dictionary<string, string> Texts = new()
    {
        ["targets"] = """
            A target is what measure, monitor, check, diagnose and sweep measure.

              loopback                  this machine, without a network
              db1, db1:7200, 10.0.0.5   a responder: 'latencytuner serve' runs there;
                                        port 7117 when none is given
              [2001:db8::5]:7117        an IPv6 address with a port
              tcp://sql01:1433          any TCP server: the time of a connect
              https://web2/health       any web server (http:// too)
              wss://web2/socket         any WebSocket server (ws:// too)
              icmp://web2               any host that answers ping

            check, diagnose and sweep need a responder. 'check db1 --via ssh' starts one;
            or start it yourself, with a token that both ends share:

              latencytuner token new token.txt
              latencytuner serve --bind 0.0.0.0 --token-file token.txt
              latencytuner check HOST --token-file token.txt

            -4 and -6 choose the address family of a name.
            """,
        ["json"] = """
            --format json prints a report as a document. Each begins with these fields:

              schema      kind and version of the document, such as latencytuner/check/2
              verdict     pass, fail, stall, no-stall, cannot-tell, changed, unchanged,
                          drift, done (nothing to judge) or failed
              text        the verdict as a sentence
              exitCode    what the process ended with
              complete    false when the work ended early
              nextSteps   command lines to paste, the most useful first
              startedUtc  when the work began
              tool        the program and its version

            A command that fails prints such a document too: its verdict is failed.

              latencytuner check --format json --output check.json
              latencytuner schema check

            report, compare, recommend and verify read these files again.
            """,
    };

    /// <summary>All topics.</summary>
    public static IReadOnlyList<string> Names { get; } = [.. Texts.Keys, "exit-codes"];

    public static Command Create(CliHost host)
    {
        Argument<string[]> words = new("command") { Description = "A command such as measure or sweep rate, or a topic: targets, json, exit-codes." };
        words.CompletionSources.Add([.. Texts.Keys]);
        Option<bool> all = new("--all") { Description = "All options of the command." };
        Command command = new("help", "Shows the help of a command, or explains a topic.") { words, all };
        command.SetAction((parse, cancellation) =>
        {
            string[] asked = parse.GetValue(words) ?? [];
            if (asked.Length == 1 && Texts.TryGetValue(asked[0], out string? text))
            {
                host.Out.WriteLine(text.ReplaceLineEndings(host.Out.NewLine));
                return Task.FromResult((int)ExitCode.Done);
            }

            string[] asksAll = parse.GetValue(all) ? [all.Name] : [];
            return Cli.RunAsync(asked is ["exit-codes"] ? asked : [.. Known(asked, host), "--help", .. asksAll], host, cancellation);
        });
        return command;
    }

    /// <summary>The path of a command.</summary>
    /// <exception cref="ExpectedFailureException">There is no such command.</exception>
    private static string[] Known(string[] path, CliHost host)
    {
        Command at = Cli.Root(host, path.FirstOrDefault());
        foreach (string name in path)
        {
            at = at.Subcommands.FirstOrDefault(c => c.Name == name) ?? throw new ExpectedFailureException(
                ExitCode.Usage,
                $"'{string.Join(' ', path)}' is not a command and not a topic"
                + UsageErrors.Hint(name, CommandTable.All.Select(c => c.Name).Concat(Names), "latencytuner"));
        }

        return path;
    }
}
