using System.Globalization;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Settings;

namespace LatencyTuner.Core.Tuning;

/// <summary>Values to and from their JSON form, without loss.</summary>
public static class StoredValues
{
    private const string OtherPrefix = "REG_TYPE_";

    private static readonly string[] Names = ["REG_DWORD", "REG_QWORD", "REG_SZ", "REG_EXPAND_SZ", "REG_MULTI_SZ", "REG_BINARY"];

    /// <summary>The registry's name of a value's type; <c>absent</c> when there is none.</summary>
    /// <param name="value">The value.</param>
    public static string TypeName(SettingValue value) => SettingValueText.TypeOf(value) ?? "absent";

    /// <summary>The JSON form of a value.</summary>
    /// <param name="value">The value.</param>
    public static StoredValue From(SettingValue value)
    {
        ArgumentNullException.ThrowIfNull(value);
        if (value.IsAbsent)
        {
            return new() { Absent = true };
        }

        string type = TypeName(value);
        (System.Text.Json.JsonElement? form, IReadOnlyList<string>? utf16) = StoredForm.From(type, SettingValueText.DataOf(value));
        return new() { Absent = false, Type = type, Value = form, Utf16 = utf16 };
    }

    /// <summary>The value of a JSON form.</summary>
    /// <param name="stored">The form.</param>
    /// <param name="value">The value, when it is one.</param>
    /// <returns>Null, or what was expected, to follow "expected".</returns>
    public static string? TryRead(StoredValue stored, out SettingValue value)
    {
        ArgumentNullException.ThrowIfNull(stored);
        value = SettingValue.Absent;
        if (stored.Absent)
        {
            return stored.Type is null && stored.Value is null && stored.Utf16 is null ? null : "an absent value to have no type and no value";
        }

        if (stored.Type is null)
        {
            return "a type such as \"REG_DWORD\", or \"absent\": true";
        }

        if (StoredForm.Texts(stored.Type, stored.Value, stored.Utf16) is { } texts && SettingValueText.TryParse(stored.Type, texts, out value))
        {
            return null;
        }

        value = SettingValue.Absent;
        return Expected(stored.Type);
    }

    private static string Expected(string type) => type switch
    {
        "REG_DWORD" => "a REG_DWORD to be a whole number from 0 to 4294967295",
        "REG_QWORD" => "a REG_QWORD to be a whole number from 0 to 18446744073709551615",
        "REG_SZ" or "REG_EXPAND_SZ" => $"a {type} to be a text",
        "REG_MULTI_SZ" => "a REG_MULTI_SZ to be a list of texts",
        "REG_BINARY" => "a REG_BINARY to be bytes in hexadecimal",
        _ when RawType(type) is not null => $"a {type} to be bytes in hexadecimal",
        _ => $"one of {string.Join(", ", Names)} or {OtherPrefix} and a number as the type",
    };

    private static int? RawType(string type) =>
        type.StartsWith(OtherPrefix, StringComparison.Ordinal)
        && int.TryParse(type.AsSpan(OtherPrefix.Length), NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out int raw) ? raw : null;
}
