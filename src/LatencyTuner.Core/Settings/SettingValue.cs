namespace LatencyTuner.Core.Settings;

/// <summary>
/// A value as it is stored: a closed union in which absence is a state. Two values are equal when type and content are, so that "exactly
/// as before" can be tested.
/// </summary>
public sealed class SettingValue : IEquatable<SettingValue>
{
    /// <summary>No value.</summary>
    public static readonly SettingValue Absent = new(SettingValueKind.Absent, 0, null, null, null, 0);

    private readonly ulong _number;
    private readonly string? _text;
    private readonly IReadOnlyList<string>? _texts;
    private readonly byte[]? _bytes;

    private SettingValue(SettingValueKind kind, ulong number, string? text, IReadOnlyList<string>? texts, byte[]? bytes, int rawType) =>
        (Kind, _number, _text, _texts, _bytes, RawType) = (kind, number, text, texts, bytes, rawType);

    /// <summary>The type.</summary>
    public SettingValueKind Kind { get; }

    /// <summary>The registry's own number of the type, for <see cref="SettingValueKind.Other"/>; 0 else.</summary>
    public int RawType { get; }

    /// <summary>True when there is no value.</summary>
    public bool IsAbsent => Kind == SettingValueKind.Absent;

    /// <summary>The number of a DWORD or QWORD; null for other types.</summary>
    public ulong? Number => Kind is SettingValueKind.Dword or SettingValueKind.Qword ? _number : null;

    /// <summary>The text of REG_SZ or REG_EXPAND_SZ; null for other types.</summary>
    public string? Text => _text;

    /// <summary>The texts of REG_MULTI_SZ; null for other types.</summary>
    public IReadOnlyList<string>? Texts => _texts;

    /// <summary>The bytes of REG_BINARY or another type; empty for the rest.</summary>
    public ReadOnlySpan<byte> Bytes => _bytes;

    /// <summary>A REG_DWORD.</summary>
    public static SettingValue Dword(uint value) => new(SettingValueKind.Dword, value, null, null, null, 0);

    /// <summary>A REG_QWORD.</summary>
    public static SettingValue Qword(ulong value) => new(SettingValueKind.Qword, value, null, null, null, 0);

    /// <summary>A REG_SZ.</summary>
    public static SettingValue Of(string text) => new(SettingValueKind.Text, 0, text, null, null, 0);

    /// <summary>A REG_EXPAND_SZ.</summary>
    public static SettingValue Expand(string text) => new(SettingValueKind.ExpandText, 0, text, null, null, 0);

    /// <summary>A REG_MULTI_SZ.</summary>
    public static SettingValue Multi(IEnumerable<string> texts) => new(SettingValueKind.MultiText, 0, null, [.. texts], null, 0);

    /// <summary>A REG_BINARY.</summary>
    public static SettingValue Binary(ReadOnlySpan<byte> bytes) => new(SettingValueKind.Binary, 0, null, null, bytes.ToArray(), 0);

    /// <summary>A value of another registry type, kept byte for byte.</summary>
    public static SettingValue Other(int rawType, ReadOnlySpan<byte> bytes) => new(SettingValueKind.Other, 0, null, null, bytes.ToArray(), rawType);

    /// <inheritdoc/>
    public bool Equals(SettingValue? other) =>
        other is not null && Kind == other.Kind && RawType == other.RawType && _number == other._number
        && string.Equals(_text, other._text, StringComparison.Ordinal)
        && (_texts ?? []).SequenceEqual(other._texts ?? [], StringComparer.Ordinal)
        && Bytes.SequenceEqual(other.Bytes);

    /// <inheritdoc/>
    public override bool Equals(object? obj) => Equals(obj as SettingValue);

    /// <inheritdoc/>
    public override int GetHashCode() => HashCode.Combine(Kind, RawType, _number, _text, _texts?.Count, _bytes?.Length);

    /// <summary>The value as a person reads it: <c>1 (0x1)</c>, <c>absent</c>, quoted text, hexadecimal bytes.</summary>
    public override string ToString() => Kind switch
    {
        SettingValueKind.Absent => "absent",
        SettingValueKind.Dword or SettingValueKind.Qword => $"{_number} (0x{_number:x})",
        SettingValueKind.Text or SettingValueKind.ExpandText => $"\"{_text}\"",
        SettingValueKind.MultiText => "[" + string.Join(", ", _texts!.Select(t => $"\"{t}\"")) + "]",
        _ => Convert.ToHexString(_bytes!).ToLowerInvariant(),
    };
}

/// <summary>The type of a stored value. The names in reports are those of the registry (winnt.h), also where a store has fewer types.</summary>
public enum SettingValueKind
{
    /// <summary>There is no value. A state of its own, not a default.</summary>
    Absent,

    /// <summary>REG_DWORD, 32 bits.</summary>
    Dword,

    /// <summary>REG_QWORD, 64 bits.</summary>
    Qword,

    /// <summary>REG_SZ.</summary>
    Text,

    /// <summary>REG_EXPAND_SZ, not expanded.</summary>
    ExpandText,

    /// <summary>REG_MULTI_SZ.</summary>
    MultiText,

    /// <summary>REG_BINARY.</summary>
    Binary,

    /// <summary>Another registry type, kept byte for byte; never written by this program except to restore it.</summary>
    Other,
}
