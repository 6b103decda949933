using System.Globalization;
using System.Text.Json;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Settings;

namespace LatencyTuner.Core.Tuning;

/// <summary>The JSON form of a stored value, absence included; exact in both directions.</summary>
public sealed record StoredValue
{
    private const string OtherPrefix = "REG_TYPE_";

    private static readonly string[] Names = ["REG_DWORD", "REG_QWORD", "REG_SZ", "REG_EXPAND_SZ", "REG_MULTI_SZ", "REG_BINARY"];

    /// <summary>True when there is no value.</summary>
    public required bool Absent { get; init; }

    /// <summary>The registry's name of the type, for example <c>REG_DWORD</c>; <c>REG_TYPE_8</c> for one without a name here; null when absent.</summary>
    public string? Type { get; init; }

    /// <summary>A number, a text, a list of texts, or bytes in hexadecimal, as the type says; null when absent.</summary>
    public JsonElement? Value { get; init; }

    /// <summary>UTF-16 code units in hexadecimal, an element per text, where a text is not valid Unicode; null else.</summary>
    public IReadOnlyList<string>? Utf16 { get; init; }

    /// <summary>The registry's name of a value's type; <c>absent</c> when there is none.</summary>
    /// <param name="value">The value.</param>
    internal static string TypeName(SettingValue value) => value.TypeName ?? "absent";

    /// <summary>The form of a value.</summary>
    /// <param name="value">The value.</param>
    internal static StoredValue From(SettingValue value)
    {
        ArgumentNullException.ThrowIfNull(value);
        if (value.IsAbsent)
        {
            return new() { Absent = true };
        }

        string type = TypeName(value);
        (System.Text.Json.JsonElement? form, IReadOnlyList<string>? utf16) = StoredForm.From(type, value.Data);
        return new() { Absent = false, Type = type, Value = form, Utf16 = utf16 };
    }

    /// <summary>The value of this form.</summary>
    /// <param name="value">The value, when the form is valid.</param>
    /// <returns>Null, or what was expected, as a phrase that follows "expected".</returns>
    internal string? TryRead(out SettingValue value)
    {
        value = SettingValue.Absent;
        if (Absent)
        {
            return Type is null && Value is null && Utf16 is null ? null : "an absent value to have no type and no value";
        }

        if (Type is null)
        {
            return "a type such as \"REG_DWORD\", or \"absent\": true";
        }

        if (StoredForm.Texts(Type, Value, Utf16) is { } texts && SettingValue.TryParse(Type, texts, out value))
        {
            return null;
        }

        value = SettingValue.Absent;
        return Expected(Type);
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
