using LatencyTuner.Core.Analysis.Diagnosis;
using LatencyTuner.Core.Findings;

namespace LatencyTuner.Core.Tuning.Recommendations;

/// <summary>Findings and verdicts that no setting cures.</summary>
internal static class ExplanationBuilder
{
    /// <summary>Two writes may cost a round trip more without a timer: from here on the sender's cures are not ruled out.</summary>
    private const double ExtraRoundTripUs = 250;

    private static readonly IReadOnlyList<string> OfTimers = [
        "REC-NAGLE-ONE-WRITE", "REC-NAGLE-NODELAY", "REC-ACK-SOCKET", "REC-ACK-TEMPLATE", "REC-ACK-INTERFACE"];

    /// <summary>What a finding means that has no cure here; null when it has one, or is for the audit to tell.</summary>
    internal static Explanation? Of(Finding finding)
    {
        (string? text, string? look) = finding switch
        {
            { Cause: Cause.DelayedAck, Harmful: 0 } =>
                ("ACKs were delayed, and nothing waited for them: that is how TCP saves packets, and there is nothing to cure.", null),
            { Cause: Cause.LossRto or Cause.LossFastRetransmit or Cause.Reordering } => (
                "Packets were lost or came out of order on the way. No TCP setting of a host cures that; it only changes how long the wait after it is.",
                "Find where: interface and switch error counters, duplex, cabling, driver and firmware, an overloaded link or virtual switch, a firewall "
                + "that drops."),
            { Cause: Cause.NetworkRtt } => (
                "The round trip of the path explains the time. Nagle and ACK settings do not shorten a path.",
                "Fewer round trips per request (one connection kept open, batches instead of dialogues), or hosts nearer to each other."),
            { Cause: Cause.Bufferbloat } => (
                "The path's queues fill under load. No setting for delayed ACKs or Nagle empties them.",
                "Limit the rate of the bulk traffic beside it, or queue management at the narrowest link."),
            { Cause: Cause.ServerThink } => (
                "The server's own processing explains the time. TCP settings do not make it faster.",
                "Profile the server's application: processor, locks, disk, the services that it asks in turn."),
            { Cause: Cause.ClientThink } => (
                "The client's own processing explains the time. TCP settings do not make it faster.",
                "Profile the client's application between reply and next request."),
            { Cause: Cause.Oscillation or Cause.LevelShift } => (
                "The latency changes with time. That is a symptom; which recommendation applies depends on the cause behind it.",
                "Compare the times with backups, scans, power management and other load on both hosts and the path."),
            { Cause: Cause.LoadInversion } => (
                "Latency falls as load rises. That is a symptom, often of a wait that the next message ends: Nagle and delayed ACKs, power saving, "
                + "interrupt moderation.",
                "Run 'latencytuner diagnose' on the same target: it measures which remedy helps."),
            { Cause: Cause.EvidenceIncomplete } =>
                ("The evidence is incomplete, and nothing is recommended from it alone.", "Measure again as the finding says."),
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

    /// <summary>What a verdict means that names no cause; null when it names one.</summary>
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
                "If users wait all the same, the time is lost elsewhere: capture the application's own traffic while it is slow, and look at the "
                + "processing of both ends.",
        },
        Cause.CannotTell => new Explanation
        {
            Target = target,
            File = file,
            Text = $"{verdict.Text.TrimEnd('.')}: nothing is recommended from it.",
            LookAt = "Run 'latencytuner diagnose' again with more --rounds.",
        },
        _ => null,
    };

    /// <summary>A remedy that was measured and did nothing, and what else rests on it.</summary>
    internal static Explanation OfNoEffect(IReadOnlyList<string> ids, MeasuredFix fix, string target, string file) => new()
    {
        Target = target,
        File = file,
        Text =
            $"{ids[0]} was measured and had no effect: median {fix.Fix.P50UsBefore / 1000:0.00} ms without, {fix.Fix.P50UsAfter / 1000:0.00} ms with it "
            + $"(n = {fix.Fix.N:N0})."
            + (ids.Count > 1
                ? " Either the request was not obeyed, or something between the hosts delays the ACKs; other switches of the same thing are not "
                    + "recommended." : ""),
        DoesNotApply = ids,
    };
}
