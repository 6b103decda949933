using LatencyTuner.Core.Settings;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Tuning;

/// <summary>Changes in sentences.</summary>
internal static class ChangeSentences
{
    internal static string Show(SettingValue value) => value.IsAbsent ? "absent" : $"{value} {StoredValue.TypeName(value)}";

    internal static string Planned(Change change) => change.After.IsAbsent
        ? $"{change.Name}: deletes {change.Location}, which is {Show(change.Before)}."
        : $"{change.Name}: sets {change.Location} to {Show(change.After)}; it is {Show(change.Before)}.";

    internal static string PutBack(Change change, SettingValue actual, SettingValue target) => target.IsAbsent
        ? $"{change.Name}: deletes {change.Location}, which is {Show(actual)} and was absent before."
        : $"{change.Name}: sets {change.Location} back to {Show(target)}; it is {Show(actual)}.";

    internal static string Count(int n, string what) => Counted.Of(n, what);

    /// <summary>The message of a failure as the part of a sentence, without its full stop.</summary>
    internal static string Reason(Exception failure) => failure.Message.TrimEnd('.', ' ');
}
