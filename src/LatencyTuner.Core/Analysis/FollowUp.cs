using LatencyTuner.Core.Findings;

namespace LatencyTuner.Core.Analysis;

/// <summary>What to do next after a path was measured: the experiment where it can tell the cause, else a capture.</summary>
public static class FollowUp
{
    /// <summary>Where too few requests were measured, no experiment tells more than time does.</summary>
    private static readonly NextStep Longer = new() { Again = true, Without = "--count", Options = ["--duration", "30s"], Note = "long enough to judge" };

    private static readonly Cause[] OfWrites = [Cause.NagleDelayedAck, Cause.NagleHold, Cause.DelayedAck, Cause.CannotTell, Cause.EvidenceIncomplete];

    /// <summary>The next steps; none where no finding costs time.</summary>
    /// <param name="target">The target that was measured.</param>
    /// <param name="findings">What was found there.</param>
    public static IReadOnlyList<NextStep> Of(string target, IEnumerable<Finding> findings)
    {
        Finding[] costly = [.. findings.Where(f => f.Severity >= Severity.Warning)];
        return costly.Length == 0 ? []
            : costly.All(f => f is { Cause: Cause.EvidenceIncomplete, CostMs: null }) ? [Longer]
            : costly.Any(f => OfWrites.Contains(f.Cause)) ? [Diagnose(target)]
            : NextStep.CaptureAndAnalyze(HostOf(target));
    }

    /// <summary>The experiment on a target.</summary>
    /// <param name="target">The target.</param>
    public static NextStep Diagnose(string target) => new() { Command = "diagnose", Target = target, Note = "finds the end at fault, measures each fix" };

    /// <summary>The host of a target, for a capture; null for loopback.</summary>
    /// <param name="target">HOST, HOST:PORT or [IPv6]:PORT.</param>
    public static string? HostOf(string target)
    {
        int close = target.IndexOf(']', StringComparison.Ordinal);
        int colon = target.IndexOf(':', StringComparison.Ordinal);
        return target == "loopback" ? null
            : target.StartsWith('[') && close > 0 ? target[1..close]
            : colon > 0 && target.LastIndexOf(':') == colon ? target[..colon]
            : target;
    }
}
