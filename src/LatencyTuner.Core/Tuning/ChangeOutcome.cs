using LatencyTuner.Core.Settings;

namespace LatencyTuner.Core.Tuning;

/// <summary>What became of a change.</summary>
/// <param name="Change">The change with its status.</param>
/// <param name="Batch">Its batch; null while it is only planned.</param>
/// <param name="Actual">The value that is there; null when it was not read.</param>
/// <param name="Text">A sentence for the admin.</param>
/// <param name="ChangedUtc">When it was written or put back; null when it was not or when that is not known.</param>
/// <param name="Pending">What still has to happen before it is in force; null when that cannot be told or was not asked.</param>
public sealed record ChangeOutcome(
    Change Change, string? Batch, SettingValue? Actual, string Text, DateTimeOffset? ChangedUtc = null, RestartNeed? Pending = null);
