using System.Globalization;
using System.Text;
using LatencyTuner.Core.Reporting.Pages;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Reporting.Writers;

/// <summary>The page that a build server shows for a step, in GitHub Flavored Markdown: the verdict, a table of the gates, the next steps.</summary>
internal static class StepSummary
{
    // GitHub refuses a summary of more than 1 MiB of UTF-8, in which a character takes at most three bytes.
    private const int MostCharacters = 300_000;
    private const int MostOfAText = 1_000;

    /// <summary>Writes the page; it ends in an empty line, because others are appended to it.</summary>
    /// <param name="page">The page of the document, with its verdict and next steps.</param>
    /// <param name="suite">The gates of the document.</param>
    internal static string Write(Page page, JUnitSuite suite)
    {
        StringBuilder text = new();
        text.Append($"## {Literal(PipelineIssue.TitleOf(page, suite))}\n\n**{Literal(page.Verdict.Word)}** {Literal(page.Verdict.Text)}\n\n");
        text.Append("| gate | outcome | what was seen |\n|---|---|---|\n");
        int shown = 0;
        foreach (JUnitCase gate in suite.Cases.OrderBy(c => (c.Failure ?? c.Error) is not null ? 0 : c.Skipped is not null ? 1 : 2))
        {
            if (text.Length > MostCharacters)
            {
                break;
            }

            string outcome =
                gate.Failure is not null ? "**failed**" : gate.Error is not null ? "**error**" : gate.Skipped is not null ? "not judged" : "passed";
            text.Append($"| {Literal($"{gate.Class}: {gate.Name}")} | {outcome} | {Literal(gate.Failure ?? gate.Error ?? gate.Skipped ?? gate.Output)} |\n");
            shown++;
        }

        if (shown < suite.Cases.Count)
        {
            text.Append(CultureInfo.InvariantCulture, $"\n{suite.Cases.Count - shown:N0} more gates are left out.\n");
        }

        if (page.NextSteps.Count > 0)
        {
            string steps = string.Concat(page.NextSteps.Select(s => Markup.Plain(s) + "\n"));
            string fence = new('`', Math.Max(3, LongestRun(steps, '`') + 1));
            text.Append($"\nNext:\n\n{fence}text\n{steps}{fence}\n");
        }

        string?[] about = [page.Header?.Hosts, page.Header?.StartedUtc is { } at ? $"{at.UtcDateTime:yyyy-MM-dd HH:mm:ss} UTC" : null, page.Header?.Tool];
        return text.Append($"\n{Literal(string.Join(", ", about.OfType<string>()))}\n\n").ToString();
    }

    /// <summary>Text that Markdown shows as it is: no markup, no HTML, no link, no mention, no end of a table's cell.</summary>
    private static string Literal(string? value)
    {
        string text = Markup.Plain(value);
        text = text.Length > MostOfAText ? text[..MostOfAText] + "..." : text;
        StringBuilder escaped = new(text.Length + 16);
        for (int i = 0; i < text.Length; i++)
        {
            char c = text[i];
            // Backslashes keep markup from working. Links without markup are found by their colon, their www. and their @.
            string? replaced = c switch
            {
                '<' => "&lt;",
                '>' => "&gt;",
                '&' => "&amp;",
                '@' or '$' => $"&#{(int)c};",
                ':' when i + 1 < text.Length && text[i + 1] is '/' or ':' => "&#58;",
                '.' when i >= 3 && text.AsSpan(i - 3, 3).Equals("www", StringComparison.OrdinalIgnoreCase) => "&#46;",
                '\\' or '`' or '*' or '_' or '{' or '}' or '[' or ']' or '#' or '+' or '!' or '|' or '~' or '^' => $"\\{c}",
                _ => null,
            };
            _ = replaced is null ? escaped.Append(c) : escaped.Append(replaced);
        }

        return escaped.ToString();
    }

    private static int LongestRun(string text, char wanted)
    {
        int longest = 0;
        int run = 0;
        foreach (char c in text)
        {
            run = c == wanted ? run + 1 : 0;
            longest = Math.Max(longest, run);
        }

        return longest;
    }
}
