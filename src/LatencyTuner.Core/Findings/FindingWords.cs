using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Findings;

/// <summary>Causes, sides, severities and confidences as a reader says them.</summary>
internal static class FindingWords
{
    /// <summary>A cause as a reader says it.</summary>
    internal static string Of(Cause cause) => cause switch
    {
        Cause.None => "no stall",
        Cause.CannotTell => "cannot tell",
        Cause.NagleDelayedAck => "Nagle + delayed ACK",
        Cause.NagleHold => "Nagle hold",
        Cause.DelayedAck => "delayed ACK",
        Cause.ReceiveWindow => "receive window",
        Cause.ZeroWindow => "zero window",
        Cause.CongestionWindow => "congestion window",
        Cause.SendBuffer => "send buffer",
        Cause.SmallSegments => "small segments",
        Cause.LossRto => "loss, timeout",
        Cause.LossFastRetransmit => "loss, fast retransmit",
        Cause.Reordering => "reordering",
        Cause.NetworkRtt => "network round trip",
        Cause.Bufferbloat => "bufferbloat",
        Cause.ServerThink => "server processing",
        Cause.ClientThink => "client pauses",
        Cause.Oscillation => "oscillation",
        Cause.LevelShift => "level shift",
        Cause.LoadInversion => "load inversion",
        Cause.SettingNotRecommended => "setting not recommended",
        Cause.SettingHasNoEffect => "setting has no effect",
        Cause.SettingMisplaced => "setting misplaced",
        Cause.SettingConflict => "setting conflict",
        Cause.EvidenceIncomplete => "evidence incomplete",
        Cause.Unknown => "a cause that this version does not know",
        _ => throw new ArgumentOutOfRangeException(nameof(cause), cause, "Not a cause."),
    };

    /// <summary>A side as a reader says it.</summary>
    internal static string Of(Side? side) => side switch
    {
        Side.Client => "client",
        Side.Server => "server",
        Side.Network => "network",
        Side.Host => "host",
        _ => "not told",
    };

    /// <summary>A confidence as a reader says it.</summary>
    internal static string Of(Confidence confidence) => confidence switch
    {
        Confidence.Confirmed => "confirmed",
        Confidence.Likely => "likely",
        _ => "possible",
    };

    /// <summary>A severity as a reader says it.</summary>
    internal static string Of(Severity severity) => severity switch
    {
        Severity.Error => "error",
        Severity.Warning => "warning",
        _ => "info",
    };

    /// <summary>What it costs, in one line; empty when nothing is known.</summary>
    internal static string Cost(Finding finding)
    {
        List<string> parts = new();
        if (finding.CostMs is { } cost)
        {
            parts.Add(
                $"Costs {Format.Ms(cost)}"
                    + (finding.CostShare is { } share
                        ? $" ({Format.Share(share)} of the {(finding.Cause == Cause.ClientThink ? "time from request to request" : "active time")})" : ""));
        }

        if (finding.Count > 0)
        {
            parts.Add($"seen {Format.Count(finding.Count)} {(finding.Count == 1 ? "time" : "times")}");
        }

        if (finding.Fired is { } fired && (fired != finding.Count || finding.Harmful != fired))
        {
            parts.Add($"delayed ACK fired {Format.Count(fired)} times" + (finding.Harmful is { } harmful ? $", {Format.Count(harmful)} harmful" : ""));
        }

        return parts.Count == 0 ? "" : Format.Sentence(string.Join("; ", parts)) + ".";
    }
}
