using System.Text.Json;

namespace LatencyTuner.Core.Tuning;

/// <summary>A value as it is stored, absence included.</summary>
public sealed record StoredValue
{
    /// <summary>True when there is no value.</summary>
    public required bool Absent { get; init; }

    /// <summary>The registry's name of the type, for example <c>REG_DWORD</c>; <c>REG_TYPE_8</c> for one without a name here; null when absent.</summary>
    public string? Type { get; init; }

    /// <summary>A number, a text, a list of texts, or bytes in hexadecimal, as the type says; null when absent.</summary>
    public JsonElement? Value { get; init; }

    /// <summary>UTF-16 code units in hexadecimal, an element per text, where a text is not valid Unicode; null else.</summary>
    public IReadOnlyList<string>? Utf16 { get; init; }
}
