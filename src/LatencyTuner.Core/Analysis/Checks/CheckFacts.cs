using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Statistics;

namespace LatencyTuner.Core.Analysis.Checks;

/// <summary>Everything that the verdict of a check rests on.</summary>
internal sealed record CheckFacts
{
    /// <summary>What was measured on loopback: context, never a reason to fail.</summary>
    public required CheckedPath Loopback { get; init; }

    /// <summary>What was found out about each target.</summary>
    public IReadOnlyList<CheckedPath> Targets { get; init; } = [];

    /// <summary>The limits of this check.</summary>
    public required CheckLimits Limits { get; init; }

    /// <summary>
    /// What the audit of the settings found: a warning at most, because a setting alone proves no stall; it fails a check only where the limit is a
    /// warning or less.
    /// </summary>
    public IReadOnlyList<Finding> SettingsFindings { get; init; } = [];

    /// <summary>Why the settings were not audited, a sentence; null when they were.</summary>
    public string? SettingsNotAudited { get; init; }

    /// <summary>How the application that the workload is set like has set its sockets, a sentence; null without one.</summary>
    public string? Application { get; init; }

    /// <summary>True when the user cancelled the check.</summary>
    public bool Cancelled { get; init; }
}

/// <summary>What a check found out about one target.</summary>
internal sealed record CheckedPath
{
    /// <summary>The target as the user gave it.</summary>
    public required string Name { get; init; }

    /// <summary>True when the declared workload was measured at all.</summary>
    public required bool Measured { get; init; }

    /// <summary>False when the measurement ended early.</summary>
    public bool Complete { get; init; }

    /// <summary>Why it ended early, a sentence; null when it did not.</summary>
    public string? EndedBecause { get; init; }

    /// <summary>Why something is missing, a sentence; null when nothing is.</summary>
    public string? Failure { get; init; }

    /// <summary>The option without which the target cannot be measured, for example <c>--token-file</c>; null for other failures.</summary>
    public string? Missing { get; init; }

    /// <summary>Requests answered.</summary>
    public long Received { get; init; }

    /// <summary>Response times of the declared workload.</summary>
    public LatencyFigures Response { get; init; } = new() { Count = 0 };

    /// <summary>Requests that stalled.</summary>
    public long Stalls { get; init; }

    /// <summary>Share of the answered requests that stalled, 0 to 1.</summary>
    public double StallShare { get; init; }

    /// <summary>What counts as a stall: a wait longer than this, milliseconds.</summary>
    public double StallThresholdMs { get; init; }

    /// <summary>True when the declared workload writes a request in several sends.</summary>
    public bool IsSplit { get; init; }

    /// <summary>Findings of the declared workload.</summary>
    public IReadOnlyList<Finding> Findings { get; init; } = [];

    /// <summary>The cause that the experiment found for requests in several sends; null when no experiment was made.</summary>
    public Cause? Exposure { get; init; }

    /// <summary>The cause that the experiment found for replies in several sends; null when they were not measured.</summary>
    public Cause? ReplyExposure { get; init; }

    /// <summary>True when the declared workload writes a reply in several sends.</summary>
    public bool IsReplySplit { get; init; }
}

/// <summary>The limits of a check.</summary>
public sealed record CheckLimits
{
    /// <summary>Highest allowed 99th percentile, microseconds; null for none.</summary>
    public double? MaxP99Us { get; init; }

    /// <summary>Highest allowed share (0 to 1) of stalled requests; null for none.</summary>
    public double? MaxStallShare { get; init; }

    /// <summary>Severity from which a finding fails the check; null for never.</summary>
    public Severity? FailOn { get; init; }

    /// <summary>What makes a finding a warning or an error; a stall share from there on is never passed without an explanation.</summary>
    public SeverityLimits Severities { get; init; } = SeverityLimits.Standard;

    /// <summary>True when "cannot tell" passes the check.</summary>
    public bool AllowInconclusive { get; init; }

    /// <summary>True for a finding that fails the check. Incomplete evidence fails nothing; it makes the verdict "cannot tell".</summary>
    /// <param name="finding">A finding of the declared workload or of the settings.</param>
    public bool Fails(Finding finding) => FailOn is { } limit && finding.Severity >= limit && finding.Cause != Cause.EvidenceIncomplete;

    /// <summary>
    /// True for a finding that would fail the check if its cause were sure: the stalls are measured and as long as those of a failing finding. A limit
    /// for stalls that the user gave decides instead.
    /// </summary>
    /// <param name="finding">A finding of the declared workload.</param>
    public bool Doubts(Finding finding) => FailOn is { } limit && MaxStallShare is null && finding.CostShare is { } share && !Fails(finding)
        && (finding.Cause == Cause.EvidenceIncomplete ? finding.Severity >= limit
            : finding is { Confidence: Confidence.Possible, Severity: Severity.Warning } && share >= Severities.ErrorShare);

    /// <summary>
    /// Whether the 99th percentile is within its limit; null without a limit, with too few samples to say, or with an interval that reaches from above
    /// the limit to below it.
    /// </summary>
    /// <param name="response">Response times of the target.</param>
    public bool? P99Passes(LatencyFigures response)
    {
        if (MaxP99Us is not { } limit)
        {
            return null;
        }

        double? low = response.Intervals.GetValueOrDefault("p99Us")?.LowUs ?? response.P99Us;
        return low > limit ? false : response.P99Us <= limit ? true : null;
    }

    /// <summary>Whether the share of stalls is within its limit; null without a limit or without a reply.</summary>
    /// <param name="received">Number of replies.</param>
    /// <param name="share">Share of the requests that stalled, 0 to 1.</param>
    public bool? StallsPass(long received, double share) => MaxStallShare is { } limit && received > 0 ? share <= limit : null;
}
