using System.Text.RegularExpressions;
using LatencyTuner.Core.Analysis;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Reporting;
using LatencyTuner.Core.Reporting.Measurement;
using Xunit;

namespace LatencyTuner.Tests.Reporting;

/// <summary>The forms for build servers, read back in the way in which their runners and agents read stdout.</summary>
public sealed class PipelineForms
{
    private const string Hostile = "x::error::y\r\n::set-env name=A::b\n##vso[task.setvariable variable=A]b ##[error] 100%25 ; ] | `` <b> [a](http://h) *_*"
        + "\u001b[31m\u202E @me";

    public static TheoryData<string> Names => new(SampleReports.All.Keys);

    private static MeasurementReport HostileReport => SampleReports.Split with
    {
        Target = new() { Name = Hostile },
        Findings = [SampleReports.SplitWrites with { Host = Hostile, Process = Hostile, For = [Hostile], Recommendation = Hostile }],
    };

    [Theory]
    [MemberData(nameof(Names))]
    public void EveryKind_SaysItsVerdict(string name)
    {
        foreach (string failOn in new[] { "none", "info", "error" })
        {
            Document document = Judge(SampleReports.All[name], failOn);
            Verdict verdict = PublishedDocuments.PageOf(document).Verdict;
            bool passes = verdict.ExitCode == Core.ExitCode.Done;

            List<Issue> issues = GitHub(PublishedDocuments.GitHubOf(document, failOn));
            Assert.EndsWith($": {verdict.Word}", issues[0].Title, StringComparison.Ordinal);
            Assert.StartsWith(verdict.Text, issues[0].Text, StringComparison.Ordinal);
            Assert.Equal(!passes, issues.Exists(i => i.Level == "error"));
            Assert.All(issues.GroupBy(i => i.Level), g => Assert.InRange(g.Count(), 1, 10));

            string azure = PublishedDocuments.AzureOf(document, failOn, "/agent/a.md");
            (List<Issue> logged, List<Issue> others) = Azure(azure);
            Assert.Equal(issues.Where(i => i.Level != "notice").Select(i => (i.Level, $"{i.Title}: {i.Text}")), logged.Select(i => (i.Level, i.Text)));
            Assert.Equal("/agent/a.md", others.Single(i => i.Title == "task.uploadsummary").Text);
            string? result = passes ? verdict.Tone is Tone.Bad or Tone.Unsure ? "SucceededWithIssues" : null : "Failed";
            Assert.Equal(result, others.SingleOrDefault(i => i.Title == "task.complete")?.Level);

            string summary = PublishedDocuments.SummaryOf(document, failOn);
            Assert.Contains($"**{verdict.Word}**", summary.Replace("\\", "", StringComparison.Ordinal), StringComparison.Ordinal);
            Assert.EndsWith("\n\n", summary, StringComparison.Ordinal);
            Assert.DoesNotContain('\r', summary);
        }
    }

    [Fact]
    public void Case_OfAFailedGate_IsAnError()
    {
        List<Issue> issues = GitHub(PublishedDocuments.GitHubOf(Judge(SampleReports.Fail, "error"), "error"));

        Assert.Equal("error", issues[0].Level);
        Assert.Contains(issues, i => i.Title == "app01:7117: stalled requests at most 0 %" && i.Level == "error");
        Assert.Equal(issues.Select(i => i.Text).Distinct(), issues.Select(i => i.Text));
    }

    [Fact]
    public void HostileNames_AreInert()
    {
        foreach (string failOn in new[] { "none", "info" })
        {
            Document document = Judge(HostileReport, failOn);
            string github = PublishedDocuments.GitHubOf(document, failOn);
            string azure = PublishedDocuments.AzureOf(document, failOn, "/a;]%0Ab/\u00e4.md");

            Assert.DoesNotContain(github + azure, c => (char.IsControl(c) && c != '\n') || c == '\u202E');
            Assert.Contains(GitHub(github), i => i.Text.Contains("##vso[task.setvariable variable=A]b ##[error] 100%25 ;", StringComparison.Ordinal));
            (List<Issue> logged, List<Issue> others) = Azure(azure);
            Assert.Equal("/a;]%0Ab/\u00e4.md", others.Single(i => i.Title == "task.uploadsummary").Text);
            Assert.All(others, i => Assert.True(i.Title is "task.uploadsummary" or "task.complete" or "text", i.Title));
            Assert.All(others.Where(i => i.Title == "text"), i => Assert.DoesNotContain("##", i.Text, StringComparison.Ordinal));
            Assert.Contains(logged, i => i.Text.Contains("100%25 ; ]", StringComparison.Ordinal));
        }
    }

    [Fact]
    public void HostileNames_InTheSummary_AreText()
    {
        string summary = PublishedDocuments.SummaryOf(Judge(HostileReport, "info"), "info");

        Assert.DoesNotContain(summary, c => char.IsControl(c) && c != '\n');
        // Behind it are the next steps, in a block that shows everything as it is.
        string page = summary.Split("\n```")[0];
        Assert.DoesNotContain("<b>", page, StringComparison.Ordinal);
        Assert.DoesNotContain("://h", page, StringComparison.Ordinal);
        string[] rows = [.. page.Split('\n').Where(l => l.StartsWith('|'))];
        Assert.True(rows.Length >= 3);
        // A cell ends at a bar without a backslash before it.
        Assert.All(rows, row => Assert.Equal(4, Regex.Count(row, @"(?<!\\)\|")));
        Assert.All(rows, row => Assert.DoesNotMatch(@"(?<!\\)[`\[\]]", row));
    }

    [Fact]
    public void MoreIssuesThanAServerShows_AreCounted()
    {
        MeasurementReport report = SampleReports.Split with { Findings = [.. Enumerable.Repeat(SampleReports.SplitWrites, 2_000)] };
        Document document = Judge(report, "info");

        List<Issue> issues = GitHub(PublishedDocuments.GitHubOf(document, "info"));
        Assert.Equal(10, issues.Count);
        Assert.EndsWith(" more gates", issues[^1].Title, StringComparison.Ordinal);
        string summary = PublishedDocuments.SummaryOf(document, "info");
        Assert.InRange(System.Text.Encoding.UTF8.GetByteCount(summary), 1, 1 << 20);
        Assert.Contains("more gates are left out", summary, StringComparison.Ordinal);
    }

    private static Document Judge(Document document, string failOn) =>
        Judged.Sealed(document, new Gate { FailOn = Enum.TryParse(failOn, ignoreCase: true, out Severity limit) ? limit : null });

    /// <summary>As the runner reads them: a line that begins with two colons; its properties end at the next two, and are separated by commas.</summary>
    private static List<Issue> GitHub(string output) => [.. output.TrimEnd('\n').Split('\n').Select(line =>
    {
        string text = line.TrimStart();
        Assert.StartsWith("::", text, StringComparison.Ordinal);
        int end = text.IndexOf("::", 2, StringComparison.Ordinal);
        string[] head = text[2..end].Split(' ', 2);
        Assert.Contains(head[0], new[] { "error", "warning", "notice" });
        string[] property = Assert.Single(head[1].Split(',')).Split('=', 2);
        Assert.Equal("title", property[0]);
        return new Issue(head[0], Unescape(property[1], "%25", ("%3A", ":"), ("%2C", ",")), Unescape(text[(end + 2)..], "%25"));
    })];

    /// <summary>As the agent reads them: the first mark in a line, wherever it stands; its properties end at the first bracket.</summary>
    private static (List<Issue> Logged, List<Issue> Others) Azure(string output)
    {
        List<Issue> logged = [];
        List<Issue> others = [];
        foreach (string line in output.TrimEnd('\n').Split('\n'))
        {
            int at = line.IndexOf("##vso[", StringComparison.Ordinal);
            if (at < 0)
            {
                others.Add(new("", "text", line));
                continue;
            }

            int end = line.IndexOf(']', at);
            string[] head = line[(at + 6)..end].Split(' ', 2);
            string data = Unescape(line[(end + 1)..], "%AZP25");
            string value = head.Length == 1 ? "" : head[1].TrimEnd(';').Split('=', 2)[1];
            (head[0] == "task.logissue" ? logged : others).Add(new(value, head[0], data));
        }

        return (logged, others);
    }

    private static string Unescape(string text, string percent, params (string Escaped, string Plain)[] more)
    {
        foreach ((string escaped, string plain) in more.Append(("%0D", "\r")).Append(("%0A", "\n")).Append((percent, "%")))
        {
            text = text.Replace(escaped, plain, StringComparison.OrdinalIgnoreCase);
        }

        return text;
    }

    private sealed record Issue(string Level, string Title, string Text);
}
