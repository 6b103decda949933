using System.CommandLine;
using System.CommandLine.Help;
using System.CommandLine.Invocation;

namespace LatencyTuner.Commands;

/// <summary>The stock help with examples of the command below it.</summary>
internal sealed class HelpExamples(HelpAction inner) : SynchronousCommandLineAction
{
    private static readonly Dictionary<string, string[]> Examples = new()
    {
        ["check"] =
        [
            "latencytuner check",
            "latencytuner check db1 --token-file token.txt --max-p99 20ms",
            "latencytuner check db1 web2:7200 --pattern split --format junit --output check.xml",
        ],
        ["serve"] =
        [
            "latencytuner serve",
            "latencytuner serve --bind 0.0.0.0 --token-file token.txt --for 30m",
        ],
        ["measure"] =
        [
            "latencytuner measure loopback --duration 2s",
            "latencytuner measure db1 --rate 1000/s --arrivals poisson --series series.csv",
            "latencytuner measure db1 --pattern split --no-delay --runs 5 --format json --output after.json",
        ],
        ["diagnose"] =
        [
            "latencytuner diagnose loopback",
            "latencytuner diagnose db1 --token-file token.txt",
        ],
        ["rate"] =
        [
            "latencytuner sweep rate loopback --pattern split --no-delay false",
            "latencytuner sweep rate db1 --from 100/s --to 20000/s --steps 8 --rounds 5",
        ],
        ["compare"] = ["latencytuner compare before.json after.json --limit 100us"],
        ["list"] =
        [
            "latencytuner settings list --profile low-latency",
            "latencytuner settings list --snapshot sql01.reg --format csv",
        ],
        ["show"] = ["latencytuner settings show tcp.ackfrequency --snapshot server2022.json --interface Team1"],
        ["explain"] = ["latencytuner settings explain tcp.nodelay.interface --snapshot server2022.json"],
        ["snapshot"] = ["latencytuner snapshot --format json --output before.json"],
        ["schema"] = ["latencytuner schema measurement"],
        ["completion"] = ["latencytuner completion powershell | Out-String | Invoke-Expression"],
        ["latencytuner"] =
        [
            "latencytuner check                      this machine",
            "latencytuner serve --bind 0.0.0.0 --token-file token.txt     on the other host",
            "latencytuner check HOST --token-file token.txt               the path to it",
        ],
    };

    public static IEnumerable<string> Of(string command) => Examples.GetValueOrDefault(command, []);

    public override int Invoke(ParseResult parseResult)
    {
        int code = inner.Invoke(parseResult);
        Command command = parseResult.CommandResult.Command;
        string[] examples = [.. Of(command is RootCommand ? "latencytuner" : command.Name)];
        if (examples.Length > 0)
        {
            TextWriter output = parseResult.InvocationConfiguration.Output;
            output.WriteLine("Examples:");
            foreach (string example in examples)
            {
                output.WriteLine($"  {example}");
            }

            output.WriteLine();
        }

        return code;
    }
}
