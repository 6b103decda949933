using System.Globalization;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Reporting.Diagnosis;
using LatencyTuner.Core.Reporting.Measurement;
using LatencyTuner.Core.Statistics;

namespace LatencyTuner.Core.Reporting.Check;

/// <summary>
/// Judges and builds the <c>check</c> document: the workload the admin declared, the path against the thresholds, the settings. What other
/// workloads would pay is information; loopback is context.
/// </summary>
public static class CheckReportBuilder
{
    private const int FewestReplies = 6;

    /// <summary>Judges.</summary>
    public static CheckReport From(CheckInputs inputs)
    {
        List<string> failures = [];
        List<string> doubts = [];
        List<string> passes = [];
        foreach (CheckedTarget target in inputs.Targets)
        {
            Judge(target, inputs, failures, doubts, passes);
        }

        failures.AddRange(inputs.SettingsFindings.Where(f => inputs.FailOn is { } limit && f.Severity >= limit)
            .Select(f => $"This machine: {f.Id} {(f.For.Count > 0 ? f.For[0] : Describe(f))}"));
        if (inputs.Targets.Count == 0 && !inputs.Cancelled)
        {
            JudgeAlone(inputs, doubts);
        }

        if (inputs.Cancelled)
        {
            doubts.Add("Cancelled before it was done.");
        }

        bool unreachable = inputs.Targets.Any(t => t.Measurement is null);
        string verdict = failures.Count > 0 ? "fail" : doubts.Count > 0 ? "cannot-tell" : "pass";
        List<Finding> findings = [.. inputs.Targets.SelectMany(t => (t.Measurement?.Findings ?? []).Concat(t.Diagnosis?.Findings ?? []))];
        if (inputs.Targets.Count == 0)
        {
            findings.AddRange(inputs.Loopback.Diagnosis?.Findings ?? []);
        }

        findings.AddRange(inputs.SettingsFindings);
        return new CheckReport
        {
            Complete = !inputs.Cancelled && inputs.Targets.Append(inputs.Loopback).All(t => t.Failure is null && t.Measurement is { Complete: true }),
            EndedBecause = inputs.Cancelled ? "It was cancelled." : inputs.Targets.Append(inputs.Loopback).FirstOrDefault(t => t.Failure is not null)?.Failure,
            Verdict = verdict,
            VerdictText = VerdictText(inputs, verdict, unreachable, failures, doubts),
            Reasons = Reasons(inputs, failures, doubts, passes),
            NextSteps = [.. NextSteps(inputs)],
            StartedUtc = inputs.StartedUtc,
            Thresholds = new CheckThresholds
            {
                MaxP99Us = inputs.MaxP99?.TotalMicroseconds,
                MaxStallShare = inputs.MaxStallShare,
                FailOn = inputs.FailOn?.ToString().ToLowerInvariant() ?? "none",
            },
            Measurements = [.. inputs.Targets.Prepend(inputs.Loopback).Select(t => t.Measurement).OfType<MeasurementReport>()],
            Diagnosis = inputs.Targets.Count > 0 ? inputs.Targets[0].Diagnosis : inputs.Loopback.Diagnosis,
            MoreDiagnoses = [.. inputs.Targets.Skip(1).Select(t => t.Diagnosis).OfType<DiagnosisReport>()],
            Settings = inputs.Settings,
            Findings = findings,
        };
    }

    /// <summary>The exit code of a check.</summary>
    /// <param name="inputs">What was judged.</param>
    /// <param name="report">The judgement.</param>
    /// <param name="allowInconclusive">True: "cannot tell" passes.</param>
    public static ExitCode ExitCodeOf(CheckInputs inputs, CheckReport report, bool allowInconclusive) =>
        inputs.Cancelled ? ExitCode.Cancelled
        : inputs.Targets.DefaultIfEmpty(inputs.Loopback).Any(t => t.Measurement is null) ? ExitCode.Measurement
        : report.Verdict == "fail" ? ExitCode.Finding
        : inputs.Targets.DefaultIfEmpty(inputs.Loopback).Any(t => t.Failure is not null) ? ExitCode.Measurement
        : report.Verdict == "cannot-tell" && !allowInconclusive ? ExitCode.CannotTell
        : ExitCode.Done;

    /// <summary>Without a target there is nothing to fail: loopback is context. It must have been measured, though.</summary>
    private static void JudgeAlone(CheckInputs inputs, List<string> doubts)
    {
        if (inputs.Loopback.Measurement is not { } measured)
        {
            doubts.Add(inputs.Loopback.Failure ?? "Loopback was not measured.");
            return;
        }

        JudgeEvidence(inputs.Loopback, measured, doubts);
    }

    private static void JudgeEvidence(CheckedTarget target, MeasurementReport measured, List<string> doubts)
    {
        if (measured.Received < FewestReplies || !measured.Complete)
        {
            doubts.Add(
                $"{target.Name}: {measured.EndedBecause ?? $"only {measured.Received} replies were measured; {FewestReplies} are needed for a median."}");
        }

        if (target.Failure is { } failure && failure != measured.EndedBecause)
        {
            doubts.Add(failure);
        }
    }

    private static void Judge(CheckedTarget target, CheckInputs inputs, List<string> failures, List<string> doubts, List<string> passes)
    {
        if (target.Measurement is not { } measured)
        {
            doubts.Add(target.Failure ?? $"{target.Name} was not measured.");
            return;
        }

        JudgeEvidence(target, measured, doubts);
        int before = failures.Count + doubts.Count;
        JudgeP99(target.Name, measured, inputs.MaxP99, failures, doubts);
        JudgeStalls(target.Name, measured, inputs.MaxStallShare, failures);
        foreach (Finding finding in measured.Findings.Where(f => inputs.FailOn is { } limit && f.Severity >= limit && f.Cause != Cause.EvidenceIncomplete))
        {
            failures.Add($"{target.Name}: {finding.Id} {Describe(finding)}");
        }

        if (failures.Count + doubts.Count == before && measured.ResponseTime.P50Us is { } median)
        {
            string stalls = measured.Stalls.Count == 0 ? "no stall"
                : $"{measured.Stalls.Count:N0} stalls ({measured.Stalls.Share:P2}), below every limit,";
            passes.Add(
                $"{target.Name}: {stalls} in {measured.Received.ToString("N0", CultureInfo.InvariantCulture)} requests of the declared kind, median "
                + $"{Time(median)}.");
        }
    }

    private static void JudgeP99(string name, MeasurementReport measured, TimeSpan? limit, List<string> failures, List<string> doubts)
    {
        if (limit is not { } max || !measured.ResponseTime.Intervals.TryGetValue("p99Us", out IntervalFigures? interval))
        {
            return;
        }

        double maxUs = max.TotalMicroseconds;
        string allowed = $"--max-p99 allows {Time(maxUs)}";
        if (interval.LowUs > maxUs)
        {
            failures.Add($"{name}: p99 is {(measured.ResponseTime.P99Us is { } p99 ? Time(p99) : $"at least {Time(interval.LowUs)}")}; {allowed}.");
        }
        else if (measured.ResponseTime.P99Us is not { } value)
        {
            doubts.Add(
                $"{name}: {measured.ResponseTime.Count} replies are too few for a p99 (the slowest took {Time(measured.ResponseTime.MaxUs ?? 0)}, "
                + $"{allowed}); measure longer with --duration.");
        }
        else if (value > maxUs)
        {
            doubts.Add(
                $"{name}: p99 is {Time(value)}, over the limit, but its 95 % interval reaches down to {Time(interval.LowUs)}; {allowed}. Measure longer "
                + "with --duration.");
        }
    }

    private static void JudgeStalls(string name, MeasurementReport measured, double? limit, List<string> failures)
    {
        if (limit is { } max && measured.Stalls.Count > 0 && measured.Stalls.Share > max)
        {
            failures.Add(
                $"{name}: {measured.Stalls.Share:P2} of the requests stalled ({measured.Stalls.Count} of {measured.Received}, each over "
                + $"{measured.Stalls.ThresholdMs:0.0} ms); --max-stall-share allows {max:P2}.");
        }
    }

    private static string Describe(Finding finding)
    {
        string cost = finding.CostMs is { } ms ? $", {ms:N0} ms lost in {finding.Count} requests ({finding.CostShare:P0} of the time)" : "";
        return $"{Kebab(finding.Cause)}{(finding.Side is { } side ? $" at the {side.ToString().ToLowerInvariant()}" : "")}{cost}.";
    }

    private static string Kebab(Cause cause) => System.Text.Json.JsonNamingPolicy.KebabCaseLower.ConvertName(cause.ToString());

    private static string VerdictText(CheckInputs inputs, string verdict, bool unreachable, List<string> failures, List<string> doubts) => verdict switch
    {
        "fail" => failures[0],
        "cannot-tell" when unreachable => "A target could not be measured.",
        "cannot-tell" => inputs.Cancelled ? doubts[^1] : doubts[0],
        _ when inputs.Targets.Count == 0 => "Local checks only, no network path tested.",
        _ => (inputs.Targets.Count == 1 ? $"{inputs.Targets[0].Name} answers " : $"All {inputs.Targets.Count} targets answer ")
            + (inputs.Targets.All(t => t.Measurement is { Stalls.Count: 0 }) ? "without stalls." : "within the limits."),
    };

    private static List<string> Reasons(CheckInputs inputs, List<string> failures, List<string> doubts, List<string> passes)
    {
        List<string> reasons = [.. failures, .. doubts, .. passes];
        if (inputs.Targets.Count == 0 && (inputs.MaxP99 is not null || inputs.MaxStallShare is not null))
        {
            reasons.Add("--max-p99 and --max-stall-share hold for targets, and none was given: loopback is context, never a reason to fail.");
        }

        if (inputs.Loopback.Failure is { } loopback)
        {
            // Alone it is among the doubts already.
            if (inputs.Targets.Count > 0 || inputs.Cancelled)
            {
                reasons.Add($"Loopback, as context: {loopback}");
            }
        }
        else if (inputs.Loopback.Measurement is { ResponseTime.P50Us: { } median } measured)
        {
            string stalls = measured.Stalls.Count == 0 ? "no stall" : $"{measured.Stalls.Count:N0} stalls";
            reasons.Add($"Loopback, as context: {stalls} in {measured.Received:N0} requests, median {Time(median)}.");
        }

        if (!inputs.Settings.Audited && inputs.Settings.NotAuditedBecause is { } why)
        {
            reasons.Add($"Settings not audited: {why}");
        }

        return reasons;
    }

    private static IEnumerable<string> NextSteps(CheckInputs inputs)
    {
        if (inputs.Targets.Count == 0)
        {
            yield return "To test a network path, run 'latencytuner serve --bind ADDRESS --token-file FILE' on the other host, then here 'latencytuner "
                + "check HOST --token-file FILE'.";
        }

        foreach (CheckedTarget target in inputs.Targets)
        {
            if (target.Measurement is null)
            {
                yield return $"Start 'latencytuner serve' on {target.Name} and let its port through the firewall, then run this check again.";
            }
            else if (target.Measurement.Findings.Any(f => f.Cause is Cause.NagleDelayedAck or Cause.NagleHold))
            {
                yield return $"latencytuner diagnose {target.Name}   (measures each fix)";
            }
            else if (target.Diagnosis?.Verdict.Cause is Cause.NagleDelayedAck or Cause.NagleHold && target.Measurement.Pattern != "split")
            {
                yield return $"If your application writes a request in several sends: latencytuner check {target.Name} --pattern split";
            }
        }
    }

    private static string Time(double us) => us switch
    {
        >= 1e6 => $"{us / 1e6:0.00} s",
        >= 1e3 => $"{us / 1e3:0.0} ms",
        _ => $"{us:0} us",
    };
}
