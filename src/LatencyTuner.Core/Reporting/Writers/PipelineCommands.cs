using System.Text;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Reporting.Pages;

namespace LatencyTuner.Core.Reporting.Writers;

/// <summary>The lines on stdout that a build server takes as commands: one for each issue. Values cannot end a command or begin another.</summary>
internal static class PipelineCommands
{
    /// <summary>Workflow commands of GitHub Actions (docs.github.com, "Workflow commands for GitHub Actions").</summary>
    /// <param name="issues">The issues.</param>
    internal static string GitHub(IReadOnlyList<PipelineIssue> issues)
    {
        StringBuilder lines = new();
        foreach (PipelineIssue issue in issues)
        {
            string name = issue.Level switch { PipelineLevel.Error => "error", PipelineLevel.Warning => "warning", _ => "notice" };
            string title = Percent(issue.Title, "%25").Replace(":", "%3A", StringComparison.Ordinal).Replace(",", "%2C", StringComparison.Ordinal);
            lines.Append($"::{name} title={title}::{Percent(issue.Text, "%25")}\n");
        }

        return lines.ToString();
    }

    /// <summary>
    /// Logging commands of Azure Pipelines (learn.microsoft.com, "Logging commands"): the issues, the summary, and the result of the task. A good verdict has
    /// no command: the result that earlier steps of the task gave stays.
    /// </summary>
    /// <param name="issues">The issues.</param>
    /// <param name="page">The page of the document, with its verdict.</param>
    /// <param name="summary">The file with the summary; null without one.</param>
    internal static string Azure(IReadOnlyList<PipelineIssue> issues, Page page, string? summary)
    {
        StringBuilder lines = new();
        foreach (PipelineIssue issue in issues)
        {
            string text = $"{issue.Title}: {issue.Text}";
            // Commands are found anywhere in a line: a line that is none may not have the mark of one.
            lines.Append(issue.Level switch
            {
                PipelineLevel.Error => $"##vso[task.logissue type=error]{Percent(text, "%AZP25")}\n",
                PipelineLevel.Warning => $"##vso[task.logissue type=warning]{Percent(text, "%AZP25")}\n",
                _ => text.Replace("##", "# #", StringComparison.Ordinal) + "\n",
            });
        }

        if (summary is not null)
        {
            lines.Append($"##vso[task.uploadsummary]{Percent(summary, "%AZP25")}\n");
        }

        string? result = page.Verdict.ExitCode != ExitCode.Done ? "Failed" : page.Verdict.Tone is Tone.Bad or Tone.Unsure ? "SucceededWithIssues" : null;
        return result is null ? lines.ToString() : lines.Append($"##vso[task.complete result={result};]{Percent(page.Verdict.Word, "%AZP25")}\n").ToString();
    }

    /// <summary>A value behind the brackets of a command: percent signs first, because they introduce the others.</summary>
    private static string Percent(string text, string percent) => text.Replace("%", percent, StringComparison.Ordinal)
        .Replace("\r", "%0D", StringComparison.Ordinal).Replace("\n", "%0A", StringComparison.Ordinal);
}
