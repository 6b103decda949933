namespace LatencyTuner.Core.Settings;

/// <summary>What the presence of a value means that this program never sets.</summary>
/// <param name="HasEffect">False: it does nothing. True: it works, against what is recommended.</param>
/// <param name="Unless">Values that need no remark.</param>
/// <param name="From">Numbers from here on need no remark; null for none.</param>
/// <param name="Because">Why, a clause.</param>
public sealed record FlaggedValue(bool HasEffect, IReadOnlyList<string> Unless, long? From, string Because);
