using LatencyTuner.Core.Analysis.Diagnosis;
using LatencyTuner.Core.Findings;

namespace LatencyTuner.Core.Tuning.Recommendations;

/// <summary>Findings and verdicts that no setting cures.</summary>
internal static class ExplanationBuilder
{
    /// <summary>Two writes may cost one more round trip without a timer. From this cost on, in microseconds, the sender's cures are not ruled out.</summary>
    private const double ExtraRoundTripUs = 250;

    private static readonly IReadOnlyList<string> OfTimers = [
        "REC-NAGLE-ONE-WRITE", "REC-NAGLE-NODELAY", "REC-ACK-SOCKET", "REC-ACK-TEMPLATE", "REC-ACK-INTERFACE"];

    /// <summary>The meaning of a finding that has no cure here; null when it has one, or when the audit explains it.</summary>
    internal static Explanation? Of(Finding finding)
    {
        (string? text, string? look) = finding switch
        {
            { Cause: Cause.DelayedAck, Harmful: 0 } =>
                ("ACKs were delayed, but nothing waited for them. TCP saves packets in this way, and there is nothing to cure.", null),
            { Cause: Cause.LossRto or Cause.LossFastRetransmit or Cause.Reordering } => (
                "Packets were lost or arrived out of order. No TCP setting of a host cures that; a setting only changes how long the wait after it is.",
                "Find the place: interface and switch error counters, duplex, cabling, driver and firmware, an overloaded link or virtual switch, a "
                + "firewall that drops packets."),
            { Cause: Cause.NetworkRtt } => (
                "The round trip of the path explains the time. Nagle and ACK settings do not shorten a path.",
                "Use fewer round trips per request (keep one connection open, send batches), or move the hosts nearer to each other."),
            { Cause: Cause.Bufferbloat } => (
                "The path's queues fill under load. No setting for delayed ACKs or Nagle empties them.",
                "Limit the rate of the bulk traffic on the same path, or use active queue management at the slowest link."),
            { Cause: Cause.ServerThink } => (
                "The server's own processing explains the time. TCP settings do not make it faster.",
                "Profile the server's application: processor, locks, disk, the services that it calls."),
            { Cause: Cause.ClientThink } => (
                "The client's own processing explains the time. TCP settings do not make it faster.",
                "Profile the client's application between a reply and the next request."),
            { Cause: Cause.Oscillation or Cause.LevelShift } => (
                "The latency changes over time. That is a symptom; the right recommendation depends on its cause.",
                "Compare the times with backups, scans, power management and other load on both hosts and the path."),
            { Cause: Cause.LoadInversion } => (
                "Latency falls as load rises. That is a symptom, often of a wait that the next message ends. The wait comes from Nagle and delayed ACKs, "
                + "power saving or interrupt moderation.",
                "Run 'latencytuner diagnose' on the same target: it measures which remedy helps."),
            { Cause: Cause.EvidenceIncomplete } =>
                ("The evidence is incomplete, and no recommendation is based on it alone.", "Measure again as the finding says."),
            _ => ((string?)null, (string?)null),
        };
        return text is null ? null : new Explanation
        {
            FindingId = finding.Id,
            Target = finding.Target,
            File = finding.File ?? "",
            Text = text,
            DoesNotApply = finding.Cause is Cause.NetworkRtt or Cause.Bufferbloat or Cause.ServerThink or Cause.ClientThink or Cause.LossRto
                or Cause.LossFastRetransmit or Cause.Reordering ? OfTimers : [],
            LookAt = look,
        };
    }

    /// <summary>The meaning of a verdict that names no cause; null when it names one.</summary>
    internal static Explanation? Of(DiagnosisVerdict verdict, string target, string file) => verdict.Cause switch
    {
        Cause.None => new Explanation
        {
            Target = target,
            File = file,
            Text = $"No stall. {verdict.Text}",
            DoesNotApply = verdict.CostUsPerRequest >= ExtraRoundTripUs ? [.. OfTimers.Where(i => i.StartsWith("REC-ACK", StringComparison.Ordinal))]
                : OfTimers,
            LookAt =
                "If users still wait, the time is lost elsewhere. Capture the application's own traffic while it is slow, and look at the processing of "
                + "both ends.",
        },
        Cause.CannotTell => new Explanation
        {
            Target = target,
            File = file,
            Text = $"{verdict.Text.TrimEnd('.')}. No recommendation is based on it.",
            LookAt = "Run 'latencytuner diagnose' again with more --rounds.",
        },
        _ => null,
    };

    /// <summary>The explanation for a remedy that was measured and had no effect, and for the cures that use the same remedy.</summary>
    internal static Explanation OfNoEffect(IReadOnlyList<string> ids, MeasuredFix fix, string target, string file) => new()
    {
        Target = target,
        File = file,
        Text =
            $"{ids[0]} was measured and had no effect: median {fix.Fix.P50UsBefore / 1000:0.00} ms without, {fix.Fix.P50UsAfter / 1000:0.00} ms with it "
            + $"(n = {fix.Fix.N:N0})."
            + (ids.Count > 1
                ? " Either immediate ACKs did not take effect, or a device between the hosts delays the ACKs. Other settings for immediate ACKs are not "
                    + "recommended." : ""),
        DoesNotApply = ids,
    };
}
