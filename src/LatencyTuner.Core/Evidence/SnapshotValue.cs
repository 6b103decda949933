using System.Text.Json;
using System.Text.Json.Serialization;

namespace LatencyTuner.Core.Evidence;

/// <summary>One stored value, or its absence.</summary>
public sealed record SnapshotValue
{
    /// <summary>What <see cref="NotReadBecause"/> and failed writes say where rights are missing.</summary>
    public const string AccessDenied = "access is denied";

    private readonly IReadOnlyList<string>? _data;
    private readonly JsonElement? _value;
    private readonly IReadOnlyList<string>? _utf16;

    /// <summary>Id of the setting in the catalogue.</summary>
    public required string Id { get; init; }

    /// <summary>Kind of store: <c>registry</c>, <c>template</c>, <c>cim</c>, <c>adapter</c>, <c>netsh</c> and so on.</summary>
    public required string Store { get; init; }

    /// <summary>GUID of the interface it belongs to, with braces; null for none.</summary>
    public string? Interface { get; init; }

    /// <summary>The TCP template it belongs to; null for none.</summary>
    public string? Template { get; init; }

    /// <summary>Registry key, CIM class or other place that holds it.</summary>
    public required string Path { get; init; }

    /// <summary>Name of the value, property or keyword.</summary>
    public required string Name { get; init; }

    /// <summary>True when there is no value; false with a null <see cref="Type"/> when it could not be read.</summary>
    public required bool Absent { get; init; }

    /// <summary>Registry name of its type, <c>REG_DWORD</c> and so on; null when absent or not read.</summary>
    public string? Type { get; init; }

    /// <summary>Its content: a decimal number, a text, hexadecimal bytes; several texts for <c>REG_MULTI_SZ</c>; empty when absent or not read.</summary>
    [JsonIgnore]
    public IReadOnlyList<string> Data
    {
        get => _data ?? StoredForm.Texts(Type, _value, _utf16) ?? [_value?.GetRawText() ?? "nothing"];
        init => _data = value;
    }

    /// <summary>False when the content of a document does not have the form of its type; <see cref="Data"/> then holds that content for display.</summary>
    [JsonIgnore]
    public bool HasForm => _data is not null || StoredForm.Texts(Type, _value, _utf16) is not null;

    /// <summary>A number, a text, a list of texts, or bytes in hexadecimal, as the type says; null when absent or not read.</summary>
    public JsonElement? Value
    {
        get => _data is null ? _value : StoredForm.From(Type, _data).Value;
        init => _value = value;
    }

    /// <summary>UTF-16 code units in hexadecimal, one element per text, where a text is not valid Unicode; null otherwise.</summary>
    public IReadOnlyList<string>? Utf16
    {
        get => _data is null ? _utf16 : StoredForm.From(Type, _data).Utf16;
        init => _utf16 = value;
    }

    /// <summary>When this program wrote the value; null when unknown.</summary>
    public DateTimeOffset? WrittenUtc { get; init; }

    /// <summary>Why it could not be read, as a sentence; null when it was read.</summary>
    public string? NotReadBecause { get; init; }
}
