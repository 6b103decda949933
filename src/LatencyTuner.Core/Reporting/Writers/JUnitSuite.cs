using System.Globalization;
using System.Text;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Reporting.Pages;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Reporting.Writers;

/// <summary>The gates of a report as JUnit XML, which build servers show: one suite, one case for each gate.</summary>
/// <param name="Name">Name of the command.</param>
/// <param name="Started">When the command started; null when unknown.</param>
/// <param name="Seconds">Duration of the command in seconds.</param>
/// <param name="Cases">The gates.</param>
internal sealed record JUnitSuite(string Name, DateTimeOffset? Started, double Seconds, IReadOnlyList<JUnitCase> Cases)
{
    /// <summary>One case for each finding; those that the verdict counts as failures fail.</summary>
    /// <param name="owner">Name of what was examined, for example a target.</param>
    /// <param name="findings">The findings.</param>
    /// <param name="failing">The findings that fail.</param>
    /// <param name="failOn">The --fail-on severity as the user gave it.</param>
    /// <param name="complete">False when the command ended early.</param>
    internal static JUnitCase[] CasesOf(string owner, IReadOnlyList<Finding> findings, IReadOnlyList<Finding> failing, string failOn, bool complete)
    {
        if (findings.Count == 0)
        {
            return [new(owner, $"no finding at or above {failOn}", Skipped: complete ? null : "The command ended early; nothing was found until then.")];
        }

        return [.. findings.WorstFirst().Select((f, i) =>
        {
            ListItem item = FindingBlocks.Item(f);
            string details = string.Join(" ", item.Details);
            string name = $"{f.Id} {FindingWords.Of(f.Cause)} #{i + 1}";
            return failing.Contains(f) ? new JUnitCase(owner, name, item.Text + ".", Output: details)
                : new JUnitCase(owner, name, Output: $"{item.Text}. {details}");
        })];
    }

    /// <summary>Writes the suite as XML.</summary>
    internal string Write()
    {
        int failures = Cases.Count(c => c.Failure is not null);
        int errors = Cases.Count(c => c.Failure is null && c.Error is not null);
        int skipped = Cases.Count(c => c.Failure is null && c.Error is null && c.Skipped is not null);
        string time = Started is { } at ? $" timestamp=\"{at.UtcDateTime.ToString("yyyy-MM-ddTHH:mm:ss", CultureInfo.InvariantCulture)}\"" : "";
        string counts =
            $"tests=\"{Cases.Count}\" failures=\"{failures}\" errors=\"{errors}\" time=\"{Seconds.ToString("0.###", CultureInfo.InvariantCulture)}\"";
        StringBuilder xml = new("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n");
        xml.Append(
            CultureInfo.InvariantCulture,
            $"<testsuites name=\"latencytuner\" {counts}>\n  <testsuite name=\"latencytuner.{Name}\" {counts} skipped=\"{skipped}\"{time}>\n");
        foreach (JUnitCase one in Cases)
        {
            xml.Append(
                CultureInfo.InvariantCulture,
                $"    <testcase classname=\"latencytuner.{Name}.{Markup.Escape(one.Class)}\" name=\"{Markup.Escape(one.Name)}\" time=\"0\">\n");
            if ((one.Failure ?? one.Error) is { } sentence)
            {
                // A build server shows the message and, below it, the text of the element: no sentence in both.
                string kind = one.Failure is null ? "error" : "failure";
                xml.Append(
                    CultureInfo.InvariantCulture,
                    $"      <{kind} type=\"latencytuner\" message=\"{Markup.Escape(sentence)}\">{Markup.Escape(Beyond(one.Output, sentence))}</{kind}>\n");
            }
            else if (one.Skipped is { } reason)
            {
                xml.Append(CultureInfo.InvariantCulture, $"      <skipped message=\"{Markup.Escape(reason)}\"/>\n");
            }

            if (one.Failure is null && one.Error is null && Beyond(one.Output, one.Skipped) is { Length: > 0 } output)
            {
                xml.Append(CultureInfo.InvariantCulture, $"      <system-out>{Markup.Escape(output)}</system-out>\n");
            }

            xml.Append("    </testcase>\n");
        }

        return xml.Append("  </testsuite>\n</testsuites>\n").ToString();
    }

    /// <summary>What was seen, unless the sentence says it already.</summary>
    private static string Beyond(string? output, string? sentence) =>
        output is null || (sentence?.Contains(output, StringComparison.Ordinal) ?? false) ? "" : output;
}

/// <summary>A gate as a test case.</summary>
/// <param name="Class">What the gate applies to, for example a target.</param>
/// <param name="Name">Name of the gate.</param>
/// <param name="Failure">Why it failed; null when it passed.</param>
/// <param name="Skipped">Why it could not be judged; null when it could.</param>
/// <param name="Output">What was seen.</param>
/// <param name="Error">Why nothing could be measured, which a build server counts as it does a failure; null when something was.</param>
internal sealed record JUnitCase(
    string Class, string Name, string? Failure = null, string? Skipped = null, string? Output = null, string? Error = null);
