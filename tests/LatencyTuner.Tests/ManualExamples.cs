using System.CommandLine;
using System.Text.RegularExpressions;
using LatencyTuner.Commands;
using LatencyTuner.Core.Measurement.Http;
using LatencyTuner.Hosting;
using LatencyTuner.Tests.Commands;
using LatencyTuner.Tests.Recordings.Traces;
using Xunit;

namespace LatencyTuner.Tests;

/// <summary>
/// The manual's examples, in README.md and docs: a <c>console</c> block is run against a real responder that stands in for <c>db1</c>. What it
/// shows must be in what is printed, in its order, with any numbers. Every other command line of latencytuner must parse: in
/// <c>powershell</c> and <c>text</c> blocks, and as code within a line.
/// </summary>
[Collection(QuietMachine.Name)]
public sealed partial class ManualExamples
{
    private const string Token = "a token of good length";
    private static readonly Lazy<byte[]> Gateway = new(() => StoryTrace.Make());
    private static readonly CliHost Host = new() { Out = TextWriter.Null, Error = TextWriter.Null };

    /// <summary>Every console block: its page, how many lines stand before it, and its first line.</summary>
    public static TheoryData<string, int, string> Consoles
    {
        get
        {
            TheoryData<string, int, string> data = [];
            foreach (string page in ManualPages.All)
            {
                string[] text = ManualPages.Lines(page);
                foreach (int start in Blocks(text, "console"))
                {
                    data.Add(page, start, text[start]);
                }
            }

            return data;
        }
    }

    [Theory]
    [MemberData(nameof(Consoles))]
    public void Console_PrintsWhatItShows(string page, int start, string first)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "The outputs shown are those of Linux.");
        Assert.StartsWith("$ latencytuner ", first, StringComparison.Ordinal);
        string[] block = [.. Lines(ManualPages.Lines(page), start)];
        using TempFolder folder = new();
        foreach (string sample in Directory.GetFiles(Path.Combine(ManualPages.Root, "tests", "LatencyTuner.Tests", "Settings", "Samples")))
        {
            File.Copy(sample, folder[Path.GetFileName(sample)]);
        }

        foreach (string capture in Directory.GetFiles(Path.Combine(ManualPages.Root, "tests", "LatencyTuner.Tests", "Capture", "Data")))
        {
            File.Copy(capture, folder[Path.GetFileName(capture)]);
        }

        foreach (string sample in Directory.GetFiles(Path.Combine(ManualPages.Root, "tests", "LatencyTuner.Tests", "Series", "Samples")))
        {
            File.Copy(sample, folder[Path.GetFileName(sample)]);
        }

        File.WriteAllBytes(folder["gateway.etl"], Gateway.Value);
        folder.Write("token.txt", Token);
        folder.Write("desired.json", DscManifest.Block("json"));
        using RunningResponder responder = new(Token);
        using RunningResponder? second = block.Any(l => l.Contains("db2", StringComparison.Ordinal)) ? new RunningResponder(Token) : null;
        using HttpResponder? http = block.Any(l => l.Contains("--protocol http2", StringComparison.Ordinal)) ? StreamSweeps.Serve(Token) : null;
        foreach ((string? line, List<string>? shown) in Examples(block))
        {
            string target = http is not null && line.Contains("--protocol http2", StringComparison.Ordinal) ? $"{http.Endpoints[0]}" : responder.Target;
            string[] words =
                [.. CommandLine.Words(line).Select(w => w == "db1" ? target : w == "db2" ? second!.Target : FileName().IsMatch(w) ? folder[w] : w)];
            using CancellationTokenSource serving = new();
            if (words[0] == "serve")
            {
                serving.CancelAfter(TimeSpan.FromMilliseconds(300));
            }

            CliRun run = CliRun.Of(serving.Token, Shorter(words, shown));

            int code = ExitCode().Match(line) is { Success: true } match
                ? int.Parse(match.Groups[1].Value, System.Globalization.CultureInfo.InvariantCulture) : 0;
            Assert.True(code == run.Code, $"{line}: exit code {run.Code}\n{run.Error}{run.Out}");
            string printed = run.Out.Replace(target, "db1", StringComparison.Ordinal)
                .Replace(folder.Path + Path.DirectorySeparatorChar, "", StringComparison.Ordinal);
            Matches(line, shown, Spaces().Replace(printed, " "));
        }
    }

    [Fact]
    public void PowerShell_LinesOfOurs_Parse()
    {
        string[] lines = [.. InBlocks("powershell").Where(l => l.StartsWith("latencytuner ", StringComparison.Ordinal))];

        Assert.NotEmpty(lines);
        Assert.All(lines, Parses);
    }

    [Fact]
    public void Text_CommandsOfRecordedRuns_Parse()
    {
        string[] lines = [.. InBlocks("text").Where(l => l.StartsWith("$ latencytuner ", StringComparison.Ordinal)).Select(l => l[2..])];

        Assert.NotEmpty(lines);
        Assert.All(lines, Parses);
    }

    [Fact]
    public void Prose_CommandsInCode_Parse()
    {
        string[] lines = [.. ManualPages.All.SelectMany(ManualPages.Prose).SelectMany(l => InlineCode().Matches(l)).Select(m => m.Groups[1].Value)];

        Assert.NotEmpty(lines);
        Assert.All(lines, Parses);
    }

    [Fact]
    public void EveryCommand_HasAnExample()
    {
        IEnumerable<string> lines = InBlocks("console").Where(l => l.StartsWith("$ ", StringComparison.Ordinal));
        HashSet<string> shown = [.. lines.Select(l => Cli.Parse(CommandLine.Words(l), Host).CommandResult).Select(PathOf)];

        Assert.Equal(Leaves(Cli.Root(Host), "").Order(), shown.Order());
    }

    [Fact]
    public void Readme_BeginsWithTheCheckAndTheTests()
    {
        string[] lines = [.. Lines(ManualPages.Lines(ManualPages.Readme), Blocks(ManualPages.Lines(ManualPages.Readme), "powershell").First())];

        Assert.Equal(["dotnet run -c Release --project src/LatencyTuner -- check", "dotnet test -c Release"], lines);
        Assert.Equal("```powershell", ManualPages.Lines(ManualPages.Readme).First(l => l.StartsWith("```", StringComparison.Ordinal)));
    }

    private static void Parses(string line)
    {
        ParseResult parsed = Cli.Parse(CommandLine.Words(line), Host);
        Assert.True(parsed.Errors.Count == 0 && UsageErrors.Of(parsed).Count == 0, line);
    }

    private static void Matches(string command, IReadOnlyList<string> shown, string printed)
    {
        int from = 0;
        foreach (string part in string.Concat(shown.Select(l => '\n' + l)).Split("\n...", StringSplitOptions.RemoveEmptyEntries))
        {
            string wanted = Spaces().Replace(part, " ").Trim();
            Match match = Regex.Match(printed[from..], string.Join(@"\d[\d.,]*( us| ms| s)?", Number().Split(wanted).Select(Regex.Escape)));
            Assert.True(match.Success, $"$ {command}\nshows\n{part}\nbut this is printed after it:\n{printed[from..]}");
            from += match.Index + match.Length;
        }
    }

    /// <summary>The same run in less time.</summary>
    private static string[] Shorter(string[] words, List<string> shown) => words[0] switch
    {
        "check" when shown.Exists(l => l.StartsWith("What other", StringComparison.Ordinal)) => [.. words, "--duration", "300ms", "--warmup", "0s"],
        // Its verdict rests on how the waits cluster: a busy machine lengthens a few of them, not most of those of a whole run.
        "check" when words.Contains("--pattern") => [.. words, "--no-diagnosis"],
        "check" => [.. words, "--duration", "300ms", "--warmup", "0s", "--no-diagnosis"],
        "measure" when !words.Any(w => w is "--duration" or "--count") => [.. words, "--duration", "1s"],
        "diagnose" => [.. words, "--rounds", "4", "--cell-time", "150ms", "--no-loopback"],
        // No port of the machine may be in the way.
        "serve" => [.. words.Select(w => w == "7118" ? "0" : w), "--port", "0"],
        _ => words,
    };

    private static IEnumerable<(string Line, List<string> Shown)> Examples(IEnumerable<string> block)
    {
        string? line = null;
        List<string> shown = [];
        foreach (string text in block.Append("$ "))
        {
            if (!text.StartsWith("$ ", StringComparison.Ordinal))
            {
                shown.Add(text);
                continue;
            }

            if (line is not null)
            {
                yield return (line, shown);
            }

            (line, shown) = (text[2..], []);
        }
    }

    private static IEnumerable<string> InBlocks(string language) =>
        ManualPages.All.Select(ManualPages.Lines).SelectMany(text => Blocks(text, language).SelectMany(start => Lines(text, start)));

    private static IEnumerable<string> Lines(string[] text, int start) => text.Skip(start).TakeWhile(l => !l.StartsWith("```", StringComparison.Ordinal));

    private static IEnumerable<int> Blocks(string[] text, string language) =>
        Enumerable.Range(1, text.Length - 1).Where(i => text[i - 1] == "```" + language);

    private static IEnumerable<string> Leaves(Command command, string path) =>
        command.Subcommands.Count == 0 ? [path] : command.Subcommands.SelectMany(c => Leaves(c, $"{path} {c.Name}".Trim()));

    private static string PathOf(System.CommandLine.Parsing.CommandResult command) =>
        command.Parent is System.CommandLine.Parsing.CommandResult { Parent: not null } parent ? $"{PathOf(parent)} {command.Command.Name}"
            : command.Command.Name;

    [GeneratedRegex(@"\s+")]
    private static partial Regex Spaces();

    [GeneratedRegex(@"\d[\d.,]*(?<![.,])(?: us| ms| s)?\b")]
    private static partial Regex Number();

    [GeneratedRegex(@"# exit code (\d+)")]
    private static partial Regex ExitCode();

    [GeneratedRegex(@"^\w+\.(json|txt|csv|xml|reg|pcap|pcapng|etl|series|zip)$")]
    private static partial Regex FileName();

    [GeneratedRegex("`(latencytuner [^`]+)`")]
    private static partial Regex InlineCode();
}
