namespace LatencyTuner.Core.Reporting.Model;

/// <summary>Whether the settings of this machine were audited.</summary>
public sealed record SettingsAudit
{
    /// <summary>True when they were.</summary>
    public required bool Audited { get; init; }

    /// <summary>Why not, a sentence.</summary>
    public string? NotAuditedBecause { get; init; }
}
