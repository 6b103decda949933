using System.Text.Json;

namespace LatencyTuner.Core.Settings;

/// <summary>The published words of the enums of the catalogue: lower case, joined by hyphens; <see cref="TakesEffect.NotApplicable"/> is <c>n/a</c>.</summary>
public static class SettingNames
{
    /// <summary>The word of a value.</summary>
    /// <typeparam name="TEnum">An enum of this namespace.</typeparam>
    /// <param name="value">A value of the enum.</param>
    public static string Of<TEnum>(TEnum value)
        where TEnum : struct, Enum =>
        value is TakesEffect.NotApplicable ? "n/a" : JsonNamingPolicy.KebabCaseLower.ConvertName(value.ToString());

    /// <summary>All words of an enum, in its order.</summary>
    /// <typeparam name="TEnum">An enum of this namespace.</typeparam>
    public static IReadOnlyList<string> All<TEnum>()
        where TEnum : struct, Enum => [.. Enum.GetValues<TEnum>().Select(Of)];

    /// <summary>The value of a word.</summary>
    /// <typeparam name="TEnum">An enum of this namespace.</typeparam>
    /// <param name="word">The word, exactly as published.</param>
    /// <param name="value">The value of the enum.</param>
    /// <returns>False when the enum has no such word.</returns>
    public static bool TryParse<TEnum>(string? word, out TEnum value)
        where TEnum : struct, Enum
    {
        foreach (TEnum candidate in Enum.GetValues<TEnum>())
        {
            if (Of(candidate) == word)
            {
                value = candidate;
                return true;
            }
        }

        value = default;
        return false;
    }
}
