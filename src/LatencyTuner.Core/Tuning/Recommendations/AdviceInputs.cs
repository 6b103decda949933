using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Settings;

namespace LatencyTuner.Core.Tuning.Recommendations;

/// <summary>Everything recommendations are drawn from.</summary>
public sealed record AdviceInputs
{
    /// <summary>The reports.</summary>
    public required IReadOnlyList<EvidenceFile> Files { get; init; }

    /// <summary>What is known of settings.</summary>
    public required SettingsCatalogue Catalogue { get; init; }

    /// <summary>The settings of a host; null without a snapshot.</summary>
    public HostSnapshot? Snapshot { get; init; }

    /// <summary>What the snapshot comes from.</summary>
    public string SnapshotSource { get; init; } = "this machine";

    /// <summary>What the host is to be good at.</summary>
    public WorkloadProfile Profile { get; init; } = WorkloadProfile.Balanced;

    /// <summary>Ids of findings that are left out.</summary>
    public IReadOnlyList<string> Ignore { get; init; } = [];

    /// <summary>The languages in which code is shown.</summary>
    public IReadOnlyList<string> Languages { get; init; } = SnippetLibrary.Defaults;
}
