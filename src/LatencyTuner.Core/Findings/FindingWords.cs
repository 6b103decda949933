using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Findings;

/// <summary>Causes, sides, severities and confidences as readers see them.</summary>
internal static class FindingWords
{
    /// <summary>A cause as readers see it.</summary>
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

    /// <summary>A side as readers see it.</summary>
    internal static string Of(Side? side) => side switch
    {
        Side.Client => "client",
        Side.Server => "server",
        Side.Network => "network",
        Side.Host => "host",
        _ => "unknown",
    };

    /// <summary>A confidence as readers see it.</summary>
    internal static string Of(Confidence confidence) => confidence switch
    {
        Confidence.Confirmed => "confirmed",
        Confidence.Likely => "likely",
        _ => "possible",
    };

    /// <summary>A severity as readers see it.</summary>
    internal static string Of(Severity severity) => severity switch
    {
        Severity.Error => "error",
        Severity.Warning => "warning",
        _ => "info",
    };

    /// <summary>What a finding of a cause counts, unless its rule says otherwise: a noun in the singular.</summary>
    internal static string CountOf(Cause cause) => cause switch
    {
        Cause.NagleDelayedAck or Cause.NagleHold => "stall",
        Cause.DelayedAck => "delayed ACK",
        Cause.ReceiveWindow or Cause.CongestionWindow or Cause.SendBuffer => "wait",
        Cause.ZeroWindow => "closed window",
        Cause.SmallSegments => "small segment",
        Cause.LossRto => "timeout retransmission",
        Cause.LossFastRetransmit => "fast retransmit",
        Cause.Reordering => "reordered segment",
        Cause.NetworkRtt or Cause.ServerThink or Cause.ClientThink => "request",
        Cause.Bufferbloat => "sample",
        Cause.Oscillation => "cycle",
        Cause.LevelShift => "shift",
        Cause.LoadInversion => "sweep point",
        Cause.SettingNotRecommended or Cause.SettingHasNoEffect or Cause.SettingMisplaced or Cause.SettingConflict => "value",
        Cause.EvidenceIncomplete => "gap",
        _ => "event",
    };

    /// <summary>What the finding costs, in one line; empty when nothing is known.</summary>
    internal static string Cost(Finding finding)
    {
        List<string> parts = new();
        if (finding.CostMs is { } cost)
        {
            parts.Add(
                cost == 0 ? "Costs no time"
                : $"Costs {Time(finding, cost)}"
                    + (finding.CostShare is { } share ? $" ({Format.Share(share)} of the {TimeOf(finding.Cause)})" : ""));
        }

        if (finding.Count > 0)
        {
            parts.Add(Counted.Of(finding.Count, finding.CountOf));
        }

        if (finding.Fired is { } fired && (fired != finding.Count || finding.Harmful != fired))
        {
            parts.Add($"delayed-ACK timer expirations: {Format.Count(fired)}" + (finding.Harmful is { } harmful ? $", {Format.Count(harmful)} harmful" : ""));
        }

        return parts.Count == 0 ? "" : Format.Sentence(string.Join("; ", parts)) + ".";
    }

    /// <summary>The time of which the cost of a cause is a share.</summary>
    internal static string TimeOf(Cause cause) => cause == Cause.ClientThink ? "time from request to request" : "active time";

    /// <summary>What the cure would bring to one target or connection, in one line.</summary>
    internal static string Prediction(CurePrediction prediction)
    {
        string interval = (prediction.P99AfterLowUs, prediction.P99AfterHighUs) switch
        {
            ({ } low, { } high) => low < high ? $" ({Format.Range(low, high)})" : "",
            ({ } low, null) => $" ({Format.Us(low)} or more)",
            _ => "",
        };
        string assumes = prediction.Assumes.Count == 0 ? "" : $" Assumes that {string.Join(" and that ", prediction.Assumes)}.";
        return $"With the cure{(prediction.AtBest ? ", at best" : "")}: median {Format.Us(prediction.P50AfterUs)} instead of {Format.Us(prediction.P50Us)}, "
            + $"99th percentile {Format.Us(prediction.P99AfterUs)}{interval} instead of {Format.Us(prediction.P99Us)}; {prediction.Of}, "
            + $"{Counted.Of(prediction.N, "request")}.{assumes}";
    }

    /// <summary>The figures of a prediction alone.</summary>
    internal static string PredictionInBrief(CurePrediction prediction) =>
        $"With the cure{(prediction.AtBest ? ", at best" : "")}: median {Format.Us(prediction.P50AfterUs)} instead of {Format.Us(prediction.P50Us)}, "
        + $"99th percentile {Format.Us(prediction.P99AfterUs)} instead of {Format.Us(prediction.P99Us)}.";

    /// <summary>Lost time; of requests that overlap the mean of each, because their sum is no time that passed.</summary>
    /// <param name="finding">The finding.</param>
    /// <param name="ms">Its cost, milliseconds.</param>
    internal static string Time(Finding finding, double ms) =>
        finding.CostOverlaps && finding.Count > 0 ? $"{Format.Ms(ms / finding.Count)} per {finding.CountOf}" : Format.Ms(ms);
}
