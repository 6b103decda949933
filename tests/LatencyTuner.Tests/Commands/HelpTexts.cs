using System.CommandLine;
using System.CommandLine.Help;
using System.Text.RegularExpressions;
using LatencyTuner.Commands;
using LatencyTuner.Core;
using LatencyTuner.Core.Reporting;
using LatencyTuner.Hosting;
using Xunit;

namespace LatencyTuner.Tests.Commands;

public sealed class HelpTexts
{
    private static readonly CliHost Host = new() { Out = TextWriter.Null, Error = TextWriter.Null };

    /// <summary>Every command by its path; the program itself is "".</summary>
    public static TheoryData<string> Paths => new(Of(Cli.Root(Host), ""));

    private static IEnumerable<string> Of(Command command, string path) =>
        command.Subcommands.SelectMany(c => Of(c, $"{path} {c.Name}".Trim())).Prepend(path);

    private static Command Find(string path) =>
        path.Split(' ', StringSplitOptions.RemoveEmptyEntries)
            .Aggregate((Command)Cli.Root(Host), (command, name) => command.Subcommands.Single(c => c.Name == name));

    private static string[] Words(string path) => path.Split(' ', StringSplitOptions.RemoveEmptyEntries);

    [Theory]
    [MemberData(nameof(Paths))]
    public void Help_FitsTheScreen_AndBeginsWithExamples(string path)
    {
        CliRun run = CliRun.Of([.. Words(path), "--help"]).Done();

        string[] lines = run.Out.TrimEnd().Split('\n');
        Assert.InRange(lines.Sum(l => Math.Max(1, (l.TrimEnd().Length + 79) / 80)), 5, 22);
        // A command to paste is one line.
        Assert.All(lines.Where(l => !l.StartsWith("  latencytuner ", StringComparison.Ordinal)), line => Assert.InRange(line.TrimEnd().Length, 0, 80));
        Assert.DoesNotMatch(@"\d\d:\d\d:\d\d", run.Out);
        IReadOnlyList<string> examples = HelpExamples.Of(path.Length == 0 ? "latencytuner" : path);
        Assert.NotEmpty(examples);
        Assert.All(examples.Take(3), example => Assert.Contains("  " + example, run.Out, StringComparison.Ordinal));
        if (path != "exit-codes")
        {
            Assert.Equal(run.Out, CliRun.Of(["help", .. Words(path)]).Done().Out);
        }
    }

    [Theory]
    [MemberData(nameof(Paths))]
    public void Help_OfAll_HasEveryOptionAndExample(string path)
    {
        if (path.Length == 0)
        {
            Assert.All(CommandTable.All, c => Assert.Matches($@"\b{c.Name} +{Regex.Escape(c.Summary)}", CliRun.Of("help").Done().Out));
            return;
        }

        string shown = CliRun.Of([.. Words(path), "--help", "--all"]).Done().Out;

        Assert.All(Find(path).Options.Where(o => !o.Hidden), o => Assert.Matches($@"(?m)^  (-., |--\w+, )*{o.Name}\b", shown));
        Assert.All(HelpExamples.Of(path), e => Assert.Contains("  " + e, shown, StringComparison.Ordinal));
        Assert.Equal(shown, CliRun.Of([.. Words(path), "--all", "--help"]).Done().Out);
    }

    [Theory]
    [InlineData("targets", "wss://web2/socket")]
    [InlineData("json", "nextSteps")]
    [InlineData("exit-codes", "cannot tell")]
    public void Help_OfATopic_FitsTheScreen(string topic, string says)
    {
        string shown = CliRun.Of("help", topic).Done().Out;

        Assert.Contains(says, shown, StringComparison.OrdinalIgnoreCase);
        Assert.InRange(shown.TrimEnd().Split('\n').Length, 5, 22);
        Assert.All(shown.Split('\n'), line => Assert.InRange(line.TrimEnd().Length, 0, 80));
    }

    [Theory]
    [InlineData("help nothing", "'nothing' is not a command and not a topic; 'latencytuner --help' lists them.")]
    [InlineData("help mesure", "'mesure' is not a command and not a topic; did you mean measure?")]
    [InlineData("help sweep rote", "'sweep rote' is not a command and not a topic")]
    [InlineData("convert", "'latencytuner convert' needs TRACE and PCAPNG. Example: 'latencytuner convert PktMon.etl packets.pcapng'.")]
    [InlineData("settings explain", "needs ID. Example: 'latencytuner settings explain")]
    [InlineData("measure --rate", "--rate needs a value: ")]
    public void WhatIsMissing_IsNamed(string line, string says) => _ = CliRun.Of(line.Split(' ')).Failed(2, says);

    [Theory]
    [MemberData(nameof(Paths))]
    public void Examples_Parse(string path) => Assert.All(HelpExamples.Of(path.Length == 0 ? "latencytuner" : path), example =>
    {
        string[] words = CommandLine.Words(example);
        ParseResult parsed = Cli.Parse(words, Host);
        Assert.Empty(parsed.Errors);
        Assert.Empty(UsageErrors.Of(parsed));
        Assert.Equal(path.Length == 0 ? words[0] : path, string.Join(' ', words.Take(Math.Max(Words(path).Length, 1))));
    });

    [Fact]
    public void Command_IsMadeAlone() => Assert.All(Cli.Root(Host).Subcommands, command =>
        Assert.Equal([command.Name], Cli.Parse([command.Name, "--help"], Host).RootCommandResult.Command.Subcommands.Select(c => c.Name)));

    [Theory]
    [MemberData(nameof(Paths))]
    public void Symbols_AreAllDescribed(string path)
    {
        Command command = Find(path);

        Assert.EndsWith(".", command.Description, StringComparison.Ordinal);
        Assert.All(
            command.Options.Where(o => o is not (HelpOption or VersionOption)),
            o => Assert.EndsWith(".", o.Description, StringComparison.Ordinal));
        Assert.All(command.Arguments, a => Assert.EndsWith(".", a.Description, StringComparison.Ordinal));
    }

    [Fact]
    public void Schema_ListsTheKindsAndPrintsEach()
    {
        Assert.Equal(PublishedDocuments.Names, CliRun.Of("schema").Done().Out.TrimEnd().Split(Environment.NewLine));
        Assert.All(PublishedDocuments.Names, kind => Assert.Equal(PublishedDocuments.SchemaOf(kind), CliRun.Of("schema", kind).Done().Out));
    }

    [Fact]
    public void ExitCodes_AreTheOnesThatAreUsed()
    {
        string[] lines = CliRun.Of("exit-codes").Done().Out.TrimEnd().Split(Environment.NewLine);

        Assert.Equal(Enum.GetValues<ExitCode>().Select(c => (int)c), lines.Select(l => int.Parse(l[..3], System.Globalization.CultureInfo.InvariantCulture)));
        Assert.All(lines, line => Assert.True(line.Length > 8));
    }

    [Fact]
    public void Version_IsTheSameFromEveryWay()
    {
        Assert.Equal(CliHost.FullVersionText, CliRun.Of("--version").Done().Out.Trim());
        using CliProcess process = CliProcess.Start([], "--version");
        Assert.Equal((0, CliHost.FullVersionText), (process.WaitForExit(), process.Out.Trim()));
    }
}
