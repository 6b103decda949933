using System.Runtime.CompilerServices;
using System.Text.RegularExpressions;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Reporting.Pages;
using LatencyTuner.Core.Reporting.Writers;
using LatencyTuner.Tests.Commands;
using LatencyTuner.Tests.Settings;
using Xunit;

namespace LatencyTuner.Tests.Reporting;

/// <summary>The default text of every kind: one screen, whose last lines are the next steps.</summary>
public sealed partial class ScreenTexts
{
    private const int Height = 22;

    public static TheoryData<string> Names => TextReports.Names;

    /// <summary>Every capture and trace with a known cause or from the field, beside the project.</summary>
    public static TheoryData<string> Recordings =>
    [
        .. Files(Path.Combine(CatalogueEntries.Shared(), "truth"), "*.pcap"), .. Files(Path.Combine(CatalogueEntries.Shared(), "samples", "pcap"), "*.pcap*"),
        Path.Combine(Repository.Root, "tests", "LatencyTuner.Tests", "Capture", "Data", "client.pcap"),
    ];

    public static TheoryData<string> Snapshots =>
        [.. Directory.GetFiles(Path.Combine(Repository.Root, "tests", "LatencyTuner.Tests", "Settings", "Samples")).Where(f => Path.HasExtension(f)).Order()];

    [Theory]
    [MemberData(nameof(Names))]
    public void Write_IsAsVerified(string name)
    {
        Page page = Judged.PageOf(SampleReports.All[name]);
        string actual = string.Concat(new[] { 80, 120 }.Select(
            width => $"---- {width} columns\n{TextReportWriter.Write(page, new() { Width = width, Height = Height })}"));

        string path = Path.Combine(Folder(), "Screens", name + ".verified.txt");
        if (Repository.Updates)
        {
            File.WriteAllText(path, actual);
        }

        Assert.Equal(File.ReadAllText(path).ReplaceLineEndings("\n"), actual);
    }

    [Theory]
    [MemberData(nameof(Names))]
    public void Write_OfAnySampleIsOneScreen(string name)
    {
        foreach (int width in new[] { 40, 60, 80, 120, 200 })
        {
            IsOneScreen(Judged.PageOf(SampleReports.All[name]), width, color: width == 60);
        }
    }

    [Fact]
    public void Write_OfAnyPageIsOneScreen()
    {
        for (int seed = 0; seed < 400; seed++)
        {
            Random random = new(seed);
            IsOneScreen(AnyPage(random), random.Next(40, 160), random.Next(2) == 0, random.Next(10, 40));
        }
    }

    [Fact]
    public void Write_KeepsAnyCommandWhole()
    {
        string command = "latencytuner measure a-very-long-name.of-a-host.example.com:7117 --pattern split --size 65536 --token-file "
            + "\"C:\\Some Folder\\token.txt\"";
        Page page = AnyPage(new Random(7)) with { NextSteps = [$"{command}   # if it stalls: measures each fix", "A sentence that says it.", command] };

        foreach (int width in new[] { 40, 80, 300 })
        {
            string[] lines = Written(page, width).TrimEnd('\n').Split('\n');

            Assert.Contains(width == 300 ? $"  {command}   # if it stalls: measures each fix" : "    " + command, lines);
            Assert.Equal(width < 300, string.Join(' ', lines.Select(l => l.Trim())).Contains("If it stalls: measures each fix:", StringComparison.Ordinal));
            Assert.EndsWith(width == 40 ? "says it." : command, lines[^1], StringComparison.Ordinal);
        }
    }

    [Fact]
    public void Write_CutsAVerdictOnlyWhereItHasNoRoom()
    {
        Verdict verdict = new() { Word = "LONG", Text = Sentences(new Random(5), 30), Result = VerdictKind.Done, Tone = Tone.Bad };
        Page page = AnyPage(new Random(3)) with { Verdict = verdict, NextSteps = [] };
        Page shorter = page with { Verdict = verdict with { Text = Sentences(new Random(5), 2) } };

        Assert.Matches(@"^LONG[^;]*\.\.\.\.", Spaces().Replace(Written(page, 60), ""));
        Assert.Contains(Spaces().Replace(shorter.Verdict.Text, ""), Spaces().Replace(Written(shorter, 60), ""), StringComparison.Ordinal);
    }

    [Fact]
    public void Write_SaysHowMuchOfAListIsLeftOut()
    {
        Page page = AnyPage(new Random(1)) with
        {
            Verdict = new() { Word = "W", Text = "v", Result = VerdictKind.Done, Tone = Tone.Neutral },
            Screen = [new("S", ListBlock.Of(Enumerable.Range(1, 40).Select(i => $"item {i}")))],
            Sections = [new("S", ListBlock.Of(Enumerable.Range(1, 40).Select(i => $"item {i}")))],
            NextSteps = [],
        };

        string[] lines = Written(page, 80).TrimEnd('\n').Split('\n');

        Assert.Equal(Height, lines.Length);
        Assert.Equal("  - item 17", lines[^2]);
        Assert.Equal("  23 more: --details", lines[^1]);
    }

    [Fact]
    public void Write_OfSeveralPagesIsOneScreen()
    {
        foreach (int count in new[] { 2, 3, 5, 6, 40 })
        {
            Page[] pages = [.. Enumerable.Range(0, count).Select(i => AnyPage(new Random(i)))];
            string text = TextReportWriter.Write(pages, new() { Width = 60, Height = Height });

            Assert.InRange(Rows(text, 60), 1, Height);
            Assert.Equal(count > 5, text.EndsWith($"{count - 5} more: --details\n", StringComparison.Ordinal));
        }
    }

    [Fact]
    public void Write_ShowsAShortReportWhole()
    {
        Page page = Judged.PageOf(SampleReports.All["diagnose-no-stall"]);

        Assert.Equal(TextReportWriter.Write(page), Written(page, 80));
    }

    [Theory]
    [MemberData(nameof(Recordings))]
    public void Analyze_IsOneScreen(string file) => PrintsOneScreen("analyze", file);

    [Theory]
    [MemberData(nameof(Snapshots))]
    public void Settings_AreOneScreen(string file)
    {
        PrintsOneScreen("settings", "list", "--snapshot", file);
        PrintsOneScreen("settings", "show", "tcp.ackfrequency", "--snapshot", file);
        PrintsOneScreen("settings", "explain", "tcp.ackfrequency", "--snapshot", file);
        PrintsOneScreen("recommend", "--snapshot", file);
    }

    [Theory]
    [InlineData("profiles")]
    [InlineData("profiles", "Detail")]
    [InlineData("exit-codes")]
    [InlineData("schema")]
    [InlineData("measure", "loopback", "--duration", "100ms", "--warmup", "0s")]
    [InlineData("measure", "loopback", "--duration", "100ms", "--warmup", "0s", "--pattern", "split", "--rate", "500/s")]
    public void Command_IsOneScreen(params string[] args) => PrintsOneScreen(args);

    private static void PrintsOneScreen(params string[] args)
    {
        CliRun run = CliRun.On(
            (output, error) => new() { Out = output, Error = error, Unicode = true, OutIsTerminal = args is ["schema"] }, CancellationToken.None, args);

        Assert.True(run.Code is 0 or 3 or 7, run.Error);
        Assert.True(Rows(run.Out, 80) <= Height, $"{Rows(run.Out, 80)} rows:\n{run.Out}");
        Assert.DoesNotContain(run.Out.Split('\n'), l => l.Length > 80 && !l.TrimStart().StartsWith("latencytuner ", StringComparison.Ordinal));
    }

    private static void IsOneScreen(Page page, int width, bool color, int height = Height)
    {
        string text = TextReportWriter.Write(page, new() { Width = width, Color = color, Height = height });
        string plain = Escapes().Replace(text, "");

        Assert.True(Rows(plain, width) <= height, $"{Rows(plain, width)} rows at {width} columns:\n{plain}");
        Assert.StartsWith(page.Verdict.Word, plain, StringComparison.Ordinal);
        bool next = plain.Contains("\n\nNext\n", StringComparison.Ordinal);
        Assert.True(next || page.NextSteps.Count == 0 || page.NextSteps.All(s => s.Length > width * (height - 6)), plain);
        if (next)
        {
            Assert.DoesNotContain("\n\n", plain[(plain.LastIndexOf("\n\nNext\n", StringComparison.Ordinal) + 2)..], StringComparison.Ordinal);
        }
    }

    private static string Written(Page page, int width) => TextReportWriter.Write(page, new() { Width = width, Height = Height });

    private static int Rows(string text, int width) => text.TrimEnd('\n').Split('\n').Sum(l => Math.Max(1, (l.Length + width - 1) / width));

    private static Page AnyPage(Random random)
    {
        PageSection[] sections = [.. Enumerable.Range(0, random.Next(1, 7)).Select(_ => AnySection(random))];
        return new()
        {
            Title = Sentence(random, random.Next(1, 30)),
            Subtitle = Sentence(random, random.Next(1, 15)),
            Verdict = new() { Word = "SOME WORD", Text = Sentences(random, random.Next(1, 30)), Result = VerdictKind.Done, Tone = Tone.Bad },
            Sections = sections,
            Screen = sections,
            NextSteps =
            [
                .. Enumerable.Range(0, random.Next(0, 5)).Select(_ => random.Next(3) switch
                {
                    0 => Sentence(random, random.Next(1, 60)),
                    1 => "latencytuner " + Words(random, random.Next(1, 25)),
                    _ => $"latencytuner {Words(random, random.Next(1, 25))}   # {Words(random, 6)}",
                }),
            ],
        };
    }

    private static PageSection AnySection(Random random)
    {
        int count = random.Next(1, 40);
        PageBlock block = random.Next(5) switch
        {
            0 => ListBlock.Of(Enumerable.Range(0, count).Select(_ => Sentence(random, random.Next(1, 40)))),
            1 => new ListBlock(
                [.. Enumerable.Range(0, count).Select(_ => new ListItem(Words(random, 5), [Sentence(random, 20), Sentence(random, 9), Sentence(random, 40)]))],
                Ordered: true),
            2 => new FactsBlock([.. Enumerable.Range(0, count).Select(_ => new PageFact(Words(random, 2), Sentence(random, random.Next(1, 30))))]),
            3 => new ParagraphBlock(Sentences(random, count)),
            _ => new TableBlock(
                [new(Words(random, 2)), new("n", Right: true), new(Words(random, random.Next(1, 6)), SubHeader: "sub", Legend: Sentence(random, 20))],
                [
                    .. Enumerable.Range(0, count).Select(i => (IReadOnlyList<TableCell>)(i % 7 == 3 ? [new(Words(random, 3))]
                        : [new(Words(random, 3)), new("1"), new(Words(random, 2), i % 2 == 0 ? Words(random, 2) : null)])),
                ],
                Sentence(random, 30)),
        };
        return new(random.Next(4) == 0 ? null : Words(random, random.Next(1, 25)), block);
    }

    private static string Sentences(Random random, int count) => string.Join(' ', Enumerable.Range(0, count).Select(_ => Sentence(random, random.Next(2, 20))));

    private static string Sentence(Random random, int words) => Words(random, words) + ".";

    private static string Words(Random random, int count) =>
        string.Join(' ', Enumerable.Range(0, count).Select(_ => new string((char)random.Next('a', 'z'), random.Next(1, random.Next(8) == 0 ? 60 : 12))));

    private static IEnumerable<string> Files(string folder, string pattern) => Directory.Exists(folder) ? Directory.GetFiles(folder, pattern).Order() : [];

    private static string Folder([CallerFilePath] string path = "") => Path.GetDirectoryName(path)!;

    [GeneratedRegex(@"\s+")]
    private static partial Regex Spaces();

    [GeneratedRegex("\u001b\\[[0-9;]*m")]
    private static partial Regex Escapes();
}
