using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Statistics;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Analysis.Checks;

/// <summary>
/// The verdict of a check: the workload that the admin declared, the path against the limits, the settings. What other workloads would pay is
/// information; loopback is context.
/// </summary>
internal sealed record CheckOutcome
{
    private const int FewestReplies = 6;

    /// <summary>The verdict as it is printed.</summary>
    public required Verdict Verdict { get; init; }

    /// <summary>Reasons for it, a sentence each; the deciding one first.</summary>
    public required IReadOnlyList<string> Reasons { get; init; }

    /// <summary>The findings that fail it: of the declared workload on its targets, and of the settings.</summary>
    public required IReadOnlyList<Finding> Failing { get; init; }

    /// <summary>Judges a check.</summary>
    /// <param name="facts">What the check measured and found.</param>
    public static CheckOutcome From(CheckFacts facts)
    {
        ArgumentNullException.ThrowIfNull(facts);
        List<string> failures = [];
        List<string> doubts = [];
        List<string> passes = [];
        foreach (CheckedPath target in facts.Targets)
        {
            Judge(target, facts.Limits, failures, doubts, passes);
        }

        failures.AddRange(facts.SettingsFindings.Where(facts.Limits.Fails).Select(f => $"This machine: {f.Id} {(f.For.Count > 0 ? f.For[0] : Describe(f))}"));
        if (facts.Targets.Count == 0 && !facts.Cancelled)
        {
            // Without a target there is nothing to fail: loopback is context. It must have been measured, though.
            JudgeEvidence(facts.Loopback with { Failure = facts.Loopback.Failure ?? (facts.Loopback.Measured ? null : "Loopback was not measured.") }, doubts);
        }

        if (facts.Cancelled)
        {
            doubts.Add("The check was cancelled before it was complete.");
        }

        VerdictKind result = failures.Count > 0 ? VerdictKind.Fail : doubts.Count > 0 ? VerdictKind.CannotTell : VerdictKind.Pass;
        string text = Text(facts, result, failures, doubts);
        return new()
        {
            Verdict = InWords(result, text, CodeOf(facts, result), NextSteps(facts)),
            Reasons = [.. ReasonsOf(facts, failures, doubts, passes).Select(r => NotAgain(facts, r, text))],
            Failing = [.. facts.Targets.SelectMany(t => t.Findings).Concat(facts.SettingsFindings).Where(facts.Limits.Fails)],
        };
    }

    /// <summary>The verdict of a check that was judged.</summary>
    /// <param name="result"><see cref="VerdictKind.Pass"/>, <see cref="VerdictKind.Fail"/> or <see cref="VerdictKind.CannotTell"/>.</param>
    /// <param name="text">Its sentence.</param>
    /// <param name="code">The exit code.</param>
    /// <param name="next">What to do next.</param>
    public static Verdict InWords(VerdictKind result, string text, ExitCode code, IReadOnlyList<NextStep> next)
    {
        (string word, Tone tone) = result switch
        {
            VerdictKind.Pass => ("PASS", Tone.Good),
            VerdictKind.Fail => ("FAIL", Tone.Bad),
            _ => ("CANNOT TELL", Tone.Unsure),
        };
        return new() { Word = word, Text = text, Result = result, Tone = tone, ExitCode = code, NextSteps = next };
    }

    private static ExitCode CodeOf(CheckFacts facts, VerdictKind result) =>
        facts.Cancelled ? ExitCode.Cancelled
        : facts.Targets.DefaultIfEmpty(facts.Loopback).Any(t => !t.Measured) ? ExitCode.Measurement
        : result == VerdictKind.Fail ? ExitCode.Finding
        : facts.Targets.DefaultIfEmpty(facts.Loopback).Any(t => t.Failure is not null) ? ExitCode.Measurement
        : result == VerdictKind.CannotTell && !facts.Limits.AllowInconclusive ? ExitCode.CannotTell
        : ExitCode.Done;

    private static void Judge(CheckedPath target, CheckLimits limits, List<string> failures, List<string> doubts, List<string> passes)
    {
        int before = failures.Count + doubts.Count;
        JudgeEvidence(target, doubts);
        if (!target.Measured)
        {
            return;
        }

        JudgeP99(target, limits, failures, doubts);
        if (limits.StallsPass(target.Received, target.StallShare) == false)
        {
            failures.Add(
                $"{target.Name}: {target.StallShare:P2} of the requests stalled ({target.Stalls} of {target.Received}, each over "
                + $"{target.StallThresholdMs:0.0} ms); --max-stall-share allows {limits.MaxStallShare:P2}.");
        }

        failures.AddRange(target.Findings.Where(limits.Fails).Select(f => $"{target.Name}: {f.Id} {Describe(f)}"));
        doubts.AddRange(target.Findings.Where(limits.Doubts).Select(f => $"{target.Name}: {Doubt(f)}"));
        if (failures.Count + doubts.Count == before && target.Response.P50Us is { } median)
        {
            string stalls = target.Stalls == 0 ? "no stall" : $"{Counted.Of(target.Stalls, "stall")} ({target.StallShare:P2}, {Why(limits)})";
            passes.Add($"{target.Name}: {stalls} in {Counted.Of(target.Received, "request")} of the declared workload, median {Time(median)}.");
        }
    }

    private static void JudgeEvidence(CheckedPath path, List<string> doubts)
    {
        if (!path.Measured)
        {
            doubts.Add(path.Failure ?? $"{path.Name} was not measured.");
            return;
        }

        if (path.Received < FewestReplies || !path.Complete)
        {
            doubts.Add($"{path.Name}: "
                + $"{path.EndedBecause ?? $"only {Counted.Were(path.Received, "reply")} measured; {FewestReplies} are needed for a median."}");
        }

        if (path.Failure is { } failure && failure != path.EndedBecause)
        {
            doubts.Add(failure);
        }
    }

    private static void JudgeP99(CheckedPath target, CheckLimits limits, List<string> failures, List<string> doubts)
    {
        if (limits.MaxP99Us is not { } max || !target.Response.Intervals.TryGetValue("p99Us", out IntervalFigures? interval))
        {
            return;
        }

        string allowed = $"--max-p99 allows {Time(max)}";
        if (limits.P99Passes(target.Response) is { } passes)
        {
            if (!passes)
            {
                string value = target.Response.P99Us is { } p99 ? Time(p99) : $"at least {Time(interval.LowUs)}";
                failures.Add($"{target.Name}: p99 is {value}; {allowed}.");
            }

            return;
        }

        doubts.Add(
            target.Response.P99Us is { } over
                ? $"{target.Name}: p99 is {Time(over)}, over the limit. Its 95 % interval reaches down to {Time(interval.LowUs)}; {allowed}. Measure "
                    + "longer with --duration."
                : $"{target.Name}: {Counted.Of(target.Response.Count, "reply")} {(target.Response.Count == 1 ? "is" : "are")} too few for a p99. The slowest "
                    + $"took {Time(target.Response.MaxUs ?? 0)}; "
                    + $"{allowed}. Measure longer with --duration.");
    }

    private static string Why(CheckLimits limits) =>
        limits.MaxStallShare is { } most ? $"--max-stall-share allows {most:P2}" : limits.FailOn is null ? "not judged" : "no finding that fails the check";

    private static string Doubt(Finding finding) => finding.Cause == Cause.EvidenceIncomplete
        ? $"{finding.For[0]}."
        : $"{finding.Id} {Describe(finding).TrimEnd('.')}; this cause is only possible. To accept such stalls, set --max-stall-share.";

    /// <summary>A finding and its cost in one sentence.</summary>
    /// <param name="finding">Any finding.</param>
    internal static string Describe(Finding finding)
    {
        string cost = finding.CostMs is { } ms
            ? $", {(finding.CostOverlaps ? FindingWords.Time(finding, ms) : $"{ms:N0} ms")} lost in {Counted.Of(finding.Count, finding.CountOf)} "
                + $"({finding.CostShare:P0} of the active time)"
            : "";
        return $"{Format.Kebab(finding.Cause)}{(finding.Side is { } side ? $" at the {FindingWords.Of(side)}" : "")}{cost}.";
    }

    private static string Text(CheckFacts facts, VerdictKind result, List<string> failures, List<string> doubts) => result switch
    {
        VerdictKind.Fail => failures[0],
        VerdictKind.CannotTell when !facts.Cancelled && facts.Targets.FirstOrDefault(t => !t.Measured) is { } missing =>
            missing.Failure ?? $"{missing.Name} was not measured.",
        VerdictKind.CannotTell => facts.Cancelled ? doubts[^1] : doubts[0],
        _ when facts.Targets.Count == 0 => "Local checks only, no network path tested.",
        _ => (facts.Targets.Count == 1 ? $"{facts.Targets[0].Name} answers " : $"All {facts.Targets.Count} targets answer ")
            + (facts.Targets.All(t => t.Measured && t.Stalls == 0) ? "without stalls."
                : facts.Limits.MaxP99Us is null && facts.Limits.MaxStallShare is null ? "without a finding that fails the check." : "within the limits."),
    };

    /// <summary>A reason; where the verdict has said why a target could not be measured, which one that is and what it means.</summary>
    private static string NotAgain(CheckFacts facts, string reason, string verdict) =>
        reason == verdict && facts.Targets.FirstOrDefault(t => !t.Measured && t.Failure == reason) is { } missing
            ? $"{missing.Name} was not measured, so the path to it was not judged."
            : reason;

    private static List<string> ReasonsOf(CheckFacts facts, List<string> failures, List<string> doubts, List<string> passes)
    {
        List<string> reasons = [.. failures, .. doubts, .. passes];
        if (facts.Targets.Count == 0 && (facts.Limits.MaxP99Us is not null || facts.Limits.MaxStallShare is not null))
        {
            reasons.Add("--max-p99 and --max-stall-share apply to targets only, and no target was given. Loopback never fails a check.");
        }

        if (facts.Loopback.Failure is { } failure)
        {
            // Alone it is among the doubts already.
            if (facts.Targets.Count > 0 || facts.Cancelled)
            {
                reasons.Add($"Loopback, as context: {failure}");
            }
        }
        else if (facts.Loopback is { Measured: true, Response.P50Us: { } median } loopback)
        {
            string stalls = loopback.Stalls == 0 ? "no stall" : Counted.Of(loopback.Stalls, "stall");
            reasons.Add($"Loopback, as context: {stalls} in {Counted.Of(loopback.Received, "request")}, median {Time(median)}.");
        }

        if (facts.Application is { } application)
        {
            // Behind the deciding reason: it says whose workload was measured.
            reasons.Insert(Math.Min(1, reasons.Count), application);
        }

        if (facts.SettingsNotAudited is { } why)
        {
            reasons.Add($"Settings not audited: {why}");
        }

        return reasons;
    }

    private static List<NextStep> NextSteps(CheckFacts facts)
    {
        List<NextStep> next = [];
        if (facts.Targets.Count == 0)
        {
            next.Add(new() { Command = "token new token.txt", Note = "for a network path: a secret for both ends, copied to the other host" });
            next.Add(new() { Command = "serve", Options = ["--bind", "0.0.0.0", "--token-file", "token.txt"], Note = "on the other host" });
            next.Add(new() { Command = "check HOST", Options = ["--token-file", "token.txt"], Note = "here, with the name of that host" });
        }

        foreach (CheckedPath target in facts.Targets.Where(t => t.Measured))
        {
            IReadOnlyList<NextStep> cures = FollowUp.Of(target.Name, target.Findings);
            next.AddRange(cures);
            if (cures.Count == 0 && target.Exposure is Cause.NagleDelayedAck or Cause.NagleHold && !target.IsSplit)
            {
                next.Add(Exposed(target, "if your application writes a request in several sends", "--pattern", "split"));
            }

            if (cures.Count == 0 && target.ReplyExposure is Cause.NagleDelayedAck or Cause.NagleHold && !target.IsReplySplit)
            {
                next.Add(Exposed(target, "if your server writes a reply in several sends", "--peer-writes", "2"));
            }
        }

        // The reasons say what was missing.
        if (facts.Targets.FirstOrDefault(t => t.Missing is not null) is { Missing: { } option })
        {
            next.Add(new() { Again = true, Options = [option, "token.txt"], Note = "with a copy of the responder's token file" });
        }
        else if (facts.Targets.Any(t => !t.Measured))
        {
            next.Add(new() { Again = true, Note = "again, when that is cured" });
        }

        if (facts.SettingsFindings.Any(facts.Limits.Fails))
        {
            next.Add(new() { Command = "settings list", Note = "the settings that fail the check" });
        }

        return next;
    }

    private static NextStep Exposed(CheckedPath target, string when, params string[] options) =>
        new() { Command = "check", Target = target.Name, Options = options, Note = when };

    private static string Time(double us) => us switch
    {
        >= 1e6 => $"{us / 1e6:0.00} s",
        >= 1e3 => $"{us / 1e3:0.0} ms",
        _ => $"{us:0} us",
    };
}
