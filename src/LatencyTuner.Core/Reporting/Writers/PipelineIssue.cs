using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Reporting.Pages;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Reporting.Writers;

/// <summary>What a build server shows beside a step: the verdict, and each gate that does not hold or could not be judged.</summary>
/// <param name="Level">How it is shown.</param>
/// <param name="Title">The command and its verdict, or the gate; one line.</param>
/// <param name="Text">The sentence; its lines are separated by line feeds.</param>
internal sealed record PipelineIssue(PipelineLevel Level, string Title, string Text)
{
    /// <summary>Of one step, GitHub Actions and Azure Pipelines both keep 10 issues of a level and drop the others without a word.</summary>
    internal const int MostOfALevel = 10;

    /// <summary>The verdict first, then the gates. None is an error when the exit code is 0: the step passes, and its issues say the same.</summary>
    /// <param name="page">The page of the document, with its verdict.</param>
    /// <param name="suite">The gates of the document.</param>
    internal static IReadOnlyList<PipelineIssue> Of(Page page, JUnitSuite suite)
    {
        Verdict verdict = page.Verdict;
        bool passes = verdict.ExitCode == ExitCode.Done;
        PipelineLevel level = !passes ? PipelineLevel.Error : verdict.Tone is Tone.Bad or Tone.Unsure ? PipelineLevel.Warning : PipelineLevel.Notice;
        IEnumerable<string> next = page.NextSteps.Take(1).Select(s => $"Next: {Markup.Plain(s)}");
        List<PipelineIssue> issues = [new(level, TitleOf(page, suite), string.Join('\n', next.Prepend(Markup.Plain(verdict.Text))))];
        foreach (JUnitCase gate in suite.Cases)
        {
            string? sentence = gate.Failure ?? gate.Error ?? gate.Skipped;
            // A gate for the verdict itself says the same with more words, which the summary has.
            if (sentence is not null && !verdict.Text.Contains(sentence.TrimEnd('.'), StringComparison.Ordinal)
                && !sentence.Contains(verdict.Text, StringComparison.Ordinal))
            {
                PipelineLevel own = passes || (gate.Failure ?? gate.Error) is null ? PipelineLevel.Warning : PipelineLevel.Error;
                issues.Add(new(own, Markup.Plain($"{gate.Class}: {gate.Name}"), Markup.Plain(sentence)));
            }
        }

        return [.. issues.GroupBy(i => i.Level).SelectMany(Shown)];
    }

    /// <summary>The command and the word of its verdict.</summary>
    internal static string TitleOf(Page page, JUnitSuite suite) =>
        Markup.Plain(suite.Name == "latencytuner" ? $"latencytuner: {page.Verdict.Word}" : $"latencytuner {suite.Name}: {page.Verdict.Word}");

    private static IEnumerable<PipelineIssue> Shown(IGrouping<PipelineLevel, PipelineIssue> issues)
    {
        int more = issues.Count() - MostOfALevel + 1;
        PipelineIssue Rest() => new(issues.Key, $"{more:N0} more gates", "They are in the summary of this step, and in the report as text.");
        return more <= 1 ? issues : issues.Take(MostOfALevel - 1).Append(Rest());
    }
}

/// <summary>How a build server shows an issue.</summary>
internal enum PipelineLevel
{
    /// <summary>The step fails.</summary>
    Error,

    /// <summary>The step passes, and somebody should look.</summary>
    Warning,

    /// <summary>For information.</summary>
    Notice,
}
