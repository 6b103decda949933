using LatencyTuner.Core.Analysis.Diagnosis;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Reporting.Pages;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Reporting.Diagnosis;

/// <summary>The page of an experiment.</summary>
internal static class DiagnosisPage
{
    internal static Page Of(DiagnosisReport report)
    {
        ArgumentNullException.ThrowIfNull(report);
        DiagnosisDirection lead = report.Directions[0];
        List<PageSection> sections = [new(null, new FactsBlock([.. Facts(lead.Verdict), .. Experiment(report)])), .. Sections(lead, "")];
        foreach (DiagnosisDirection other in report.Directions.Skip(1))
        {
            sections.Add(new($"{other.Messages} in two writes", new ParagraphBlock(other.Verdict.Text), new FactsBlock([.. Facts(other.Verdict)])));
            sections.AddRange(Sections(other, other.Messages.ToLowerInvariant()));
        }

        if (report.Cells.Count > 0)
        {
            sections.Add(new("What was measured", CellTable.Of(report.Cells)));
        }

        if (report.Loopback is { } loopback)
        {
            sections.Add(new("The same experiment on loopback, for comparison", new ParagraphBlock(loopback.Verdict.Text), CellTable.Of(loopback.Cells)));
        }

        // The verdicts above are findings, too; they are not repeated here.
        sections.AddRange(
            FindingBlocks.Section("Findings", [.. report.Findings.Where(f => f.Cause != report.Diagnosis.Cause && f.Cause != report.ReplyDiagnosis?.Cause)]));
        IReadOnlyList<string> notes = PageWords.Notes(report.Target, report.Notes);
        if (notes.Count > 0)
        {
            sections.Add(new("Notes", ListBlock.Of(notes)));
        }

        return new Page
        {
            Title = "diagnose " + PageWords.Of(report.Target),
            Subtitle = PageWords.Made(report.StartedUtc),
            Verdict = report.Judgement,
            Sections = sections,
            Screen =
            [
                .. PageSection.If(lead.Fixes.Count > 0, "Fixes, best measured effect first", () => FixesOnScreen(lead.Fixes)),
                .. PageSection.If(report.Cells.Count > 0, "What was measured", () => CellTable.OnScreen(report.Cells)),
                new(null, new FactsBlock([.. Facts(lead.Verdict), .. Experiment(report)])),
                .. Evidence("", lead.Verdict),
                .. PageSection.Of("Notes", notes),
            ],
        };
    }

    /// <summary>The fixes of one direction and what its verdict rests on.</summary>
    private static IEnumerable<PageSection> Sections(DiagnosisDirection direction, string messages)
    {
        if (direction.Fixes.Count > 0)
        {
            yield return new($"Fixes{(messages.Length == 0 ? "" : " for " + messages)}, best measured effect first", Fixes(direction.Fixes));
        }

        foreach (PageSection section in Evidence(messages.Length == 0 ? "" : $" ({messages})", direction.Verdict))
        {
            yield return section;
        }
    }

    /// <summary>The fixes with their measured effects.</summary>
    internal static ListBlock Fixes(IReadOnlyList<DiagnosisFix> fixes) =>
        new([.. fixes.Select(f => new ListItem($"{Format.Sentence(f.Where)}: {f.What}", [.. new[] { Effect(f), f.Note }.OfType<string>()]))], Ordered: true);

    /// <summary>The fixes with their medians alone.</summary>
    private static ListBlock FixesOnScreen(IReadOnlyList<DiagnosisFix> fixes) =>
        new(
            [.. fixes.Select(f => new ListItem($"{Format.Sentence(f.Where)}: {f.What}", f.P50UsAfter is null ? "Effect not measured." : Median(f) + "."))],
            Ordered: true);

    /// <summary>The measured effect of a fix in one line.</summary>
    internal static string Effect(DiagnosisFix fix)
    {
        if (fix.P50UsAfter is null)
        {
            return "Effect not measured.";
        }

        string p99 = fix.P99UsAfter is { } tail ? $"; 99th percentile then {Format.Us(tail)}" : "";
        string predicted = fix.P50UsPredicted is { } median ? $" Predicted: median {Format.Us(median)}." : "";
        return $"{Median(fix)}{p99} (n = {Format.Count(fix.N)}).{predicted}";
    }

    private static string Median(DiagnosisFix fix)
    {
        string saves = fix.Saves switch
        {
            null => "",
            >= 0 => $", saves {Format.Share(fix.Saves)}",
            _ => $", costs {Format.Share(-fix.Saves)} more",
        };
        return $"Median {(fix.P50UsBefore is { } before ? $"{Format.Us(before)} -> " : "")}{Format.Us(fix.P50UsAfter)}{saves}";
    }

    private static IEnumerable<PageFact> Facts(DiagnosisVerdict verdict)
    {
        if (verdict.Side is { } side)
        {
            yield return new("Nagle at", $"the {FindingWords.Of(side)}, the end that splits its writes");
        }

        if (verdict.AckTimerSide is { } timerSide)
        {
            string timer = verdict.ClusterMs is { } ms ? $", {Format.Milliseconds(ms)}" : "";
            string model = verdict.TimerModel switch
            {
                "tick" => ", a coarse timer tick: the waits are spread evenly below it",
                null => "",
                { } other => $", {other}",
            };
            yield return new("ACK timer at", $"the {FindingWords.Of(timerSide)}{timer}{model}");
        }

        if (verdict.CostUsPerRequest is { } cost && verdict.Cause is not (Cause.None or Cause.CannotTell))
        {
            yield return new("Cost", $"{Format.Us(cost)} per request: median with the cause minus median without it");
        }

        yield return new("Confidence", FindingWords.Of(verdict.Confidence));
        if (verdict.Cause is not Cause.None)
        {
            yield return new("Applies to", verdict.AppliesTo);
        }
    }

    private static IEnumerable<PageFact> Experiment(DiagnosisReport report)
    {
        string writes = report.WritesBytes.Count > 1 ? $", split as {string.Join(" + ", report.WritesBytes)} B" : "";
        yield return new("Experiment", $"{report.Rounds} interleaved {(report.Rounds == 1 ? "round" : "rounds")}, {report.Cells.Count} cells, requests of "
            + $"{Format.Bytes(report.SizeBytes)}{writes}");
        if (!report.Complete)
        {
            yield return new("Ended early", report.EndedBecause ?? "not every round was measured");
        }
    }

    private static IEnumerable<PageSection> Evidence(string suffix, DiagnosisVerdict verdict)
    {
        if (verdict.For.Count > 0)
        {
            yield return new("Evidence for it" + suffix, ListBlock.Of(verdict.For));
        }

        if (verdict.Against.Count > 0)
        {
            yield return new("Evidence against it, or not tested" + suffix, ListBlock.Of(verdict.Against));
        }
    }
}
