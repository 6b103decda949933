using System.Runtime.CompilerServices;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Reporting.Measurement;
using LatencyTuner.Core.Reporting.Pages;
using LatencyTuner.Core.Reporting.Writers;
using Xunit;

namespace LatencyTuner.Tests.Reporting;

public sealed class TextReports
{
    public static TheoryData<string> Names => new(SampleReports.All.Keys);

    [Theory]
    [MemberData(nameof(Names))]
    public void Write_IsAsVerified(string name)
    {
        string actual = TextReportWriter.Write(Judged.PageOf(SampleReports.All[name]));

        string path = Path.Combine(Folder(), name + ".verified.txt");
        if (Repository.Updates)
        {
            File.WriteAllText(path, actual);
        }

        Assert.Equal(File.ReadAllText(path).ReplaceLineEndings("\n"), actual);
    }

    [Theory]
    [MemberData(nameof(Names))]
    public void Write_KeepsEveryLineWithinTheWidth(string name)
    {
        foreach (int width in new[] { 40, 60, 80, 132 })
        {
            foreach (bool ascii in new[] { false, true })
            {
                string text = TextReportWriter.Write(Judged.PageOf(SampleReports.All[name]), new() { Width = width, Ascii = ascii });

                // What is to be copied is never broken.
                List<string> code = Judged.PageOf(SampleReports.All[name]).Sections.SelectMany(s => s.Blocks).OfType<CodeBlock>()
                    .SelectMany(b => b.Lines.Select(l => (b.Title is null ? "  " : "    ") + l.Replace("\t", "    ", StringComparison.Ordinal))).ToList();
                IEnumerable<string> pasted = text.Split('\n').Where(l => l.TrimStart().Split(' ')[0] is "latencytuner" or "pktmon");
                Assert.All(text.Split('\n').Except(code).Except(pasted), line => Assert.InRange(line.Length, 0, width));
                if (ascii)
                {
                    Assert.All(text, c => Assert.True(c is '\n' or (>= ' ' and <= '~'), $"U+{(int)c:X4}"));
                }
            }
        }
    }

    [Theory]
    [InlineData("check-pass")]
    [InlineData("check-fail")]
    [InlineData("check-cannot-tell")]
    [InlineData("check-unreachable")]
    public void Write_OfACheckFitsOneScreen(string name) =>
        Assert.InRange(TextReportWriter.Write(Judged.PageOf(SampleReports.All[name])).Count(c => c == '\n'), 10, 45);

    [Theory]
    [InlineData("check-pass", "PASS")]
    [InlineData("check-fail", "FAIL")]
    [InlineData("check-cannot-tell", "CANNOT TELL")]
    public void Write_StartsWithTheVerdict(string name, string word) =>
        Assert.StartsWith(word + "  ", TextReportWriter.Write(Judged.PageOf(SampleReports.All[name])), StringComparison.Ordinal);

    [Fact]
    public void Write_ShowsAnExposureAsInformation()
    {
        string[] lines = TextReportWriter.Write(Judged.PageOf(SampleReports.Pass), new() { Color = true }).Split('\n');

        Assert.DoesNotContain(lines, l => l.Contains("\u001b[31m", StringComparison.Ordinal) || l.Contains("1;31m", StringComparison.Ordinal));
        Assert.Contains(lines, l => l.Contains("information", StringComparison.Ordinal));
        Assert.DoesNotContain(lines, l => l.Contains("fail the check", StringComparison.Ordinal));
    }

    [Fact]
    public void Write_ColoursOnlyWhenAsked()
    {
        Page document = Judged.PageOf(SampleReports.Fail);

        Assert.DoesNotContain('\u001b', TextReportWriter.Write(document));
        string coloured = TextReportWriter.Write(document, new() { Color = true });
        Assert.Contains("\u001b[1;31mFAIL\u001b[0m", coloured, StringComparison.Ordinal);
        Assert.Equal(TextReportWriter.Write(document), System.Text.RegularExpressions.Regex.Replace(coloured, "\u001b\\[[0-9;]*m", ""));
    }

    [Fact]
    public void Write_DisarmsControlCharacters()
    {
        MeasurementReport report = SampleReports.Healthy with
        {
            Target = new() { Name = "evil\u001b[2J\u0007\u202Ehost\r\nname" },
            Notes = ["bell \u0007\u009b"],
        };

        string text = TextReportWriter.Write(Judged.PageOf(report));

        Assert.All(text, c => Assert.True(c == '\n' || !char.IsControl(c)));
        Assert.DoesNotContain('\u202E', text);
        Assert.Contains("host name", text, StringComparison.Ordinal);
    }

    [Fact]
    public void Write_CutsAListAtItsLimitAndSaysSo()
    {
        Page document = new()
        {
            Title = "t",
            Verdict = new() { Word = "W", Text = "v", Result = VerdictKind.Done, Tone = Tone.Neutral },
            Sections = [new("S", ListBlock.Of(["one", "two", "three"], textLimit: 2))],
        };

        string text = TextReportWriter.Write(document);

        Assert.DoesNotContain("three", text, StringComparison.Ordinal);
        Assert.Contains("and 1 more", text, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("[fd77:2::10]:33564 > [fd77:2::20]:28850", 15, "[fd77:2::10]:", "33564", "> [fd77:2::20]:", "28850")]
    [InlineData("truth/nagle_delack_t200.client.pcap", 33, "truth/nagle_delack_t200.client.", "pcap")]
    [InlineData("10.77.1.10:43472 > 10.77.1.20:9001", 18, "10.77.1.10:43472", "> 10.77.1.20:9001")]
    [InlineData("a/0123456789012345678901234567890", 20, "a/012345678901234567", "8901234567890")]
    public void Wrap_CutsNamesAtTheirJoints(string text, int width, params string[] lines) => Assert.Equal(lines, TextCanvas.Wrap(text, "", "", width));

    private static string Folder([CallerFilePath] string path = "") => Path.GetDirectoryName(path)!;
}
