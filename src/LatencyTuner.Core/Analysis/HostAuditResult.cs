namespace LatencyTuner.Core.Analysis;

/// <summary>What the audit of a host says.</summary>
/// <param name="Entries">Every value, in the order of the snapshot.</param>
/// <param name="Findings">LT201 to LT204, one per setting and kind.</param>
public sealed record HostAuditResult(IReadOnlyList<AuditedSetting> Entries, IReadOnlyList<Finding> Findings);
