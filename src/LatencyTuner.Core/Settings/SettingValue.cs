using System.Globalization;
namespace LatencyTuner.Core.Settings;

/// <summary>
/// A value as it is stored: a closed union in which absence is a state. Two values are equal when type and content are, so that "exactly
/// as before" can be tested.
/// </summary>
public sealed class SettingValue : IEquatable<SettingValue>
{
    /// <summary>The absence of a value.</summary>
    public static readonly SettingValue Absent = new(SettingValueKind.Absent, 0, null, null, null, 0);

    private const string OtherPrefix = "REG_TYPE_";

    private readonly ulong _number;
    private readonly string? _text;
    private readonly IReadOnlyList<string>? _texts;
    private readonly byte[]? _bytes;

    private SettingValue(SettingValueKind kind, ulong number, string? text, IReadOnlyList<string>? texts, byte[]? bytes, int rawType) =>
        (Kind, _number, _text, _texts, _bytes, RawType) = (kind, number, text, texts, bytes, rawType);

    /// <summary>The type of the stored value.</summary>
    public SettingValueKind Kind { get; }

    /// <summary>The type number of the registry, for <see cref="SettingValueKind.Other"/>; otherwise 0.</summary>
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

    /// <summary>The registry's name of the type, <c>REG_TYPE_n</c> for types without a name here; null when absent.</summary>
    internal string? TypeName => Kind switch
    {
        SettingValueKind.Absent => null,
        SettingValueKind.Dword => "REG_DWORD",
        SettingValueKind.Qword => "REG_QWORD",
        SettingValueKind.Text => "REG_SZ",
        SettingValueKind.ExpandText => "REG_EXPAND_SZ",
        SettingValueKind.MultiText => "REG_MULTI_SZ",
        SettingValueKind.Binary => "REG_BINARY",
        _ => OtherPrefix + RawType.ToString(CultureInfo.InvariantCulture),
    };

    /// <summary>The content as documents hold it: one text, several for REG_MULTI_SZ, none when absent; exact in both directions.</summary>
    internal IReadOnlyList<string> Data => Kind switch
    {
        SettingValueKind.Absent => [],
        SettingValueKind.Dword or SettingValueKind.Qword => [_number.ToString(CultureInfo.InvariantCulture)],
        SettingValueKind.Text or SettingValueKind.ExpandText => [_text!],
        SettingValueKind.MultiText => _texts!,
        _ => [Convert.ToHexString(Bytes).ToLowerInvariant()],
    };

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

    /// <summary>The value for display: <c>1 (0x1)</c>, <c>absent</c>, quoted text, hexadecimal bytes.</summary>
    public override string ToString() => Kind switch
    {
        SettingValueKind.Absent => "absent",
        SettingValueKind.Dword or SettingValueKind.Qword => $"{_number} (0x{_number:x})",
        SettingValueKind.Text or SettingValueKind.ExpandText => $"\"{_text}\"",
        SettingValueKind.MultiText => "[" + string.Join(", ", _texts!.Select(t => $"\"{t}\"")) + "]",
        _ => Convert.ToHexString(_bytes!).ToLowerInvariant(),
    };

    /// <summary>The value of a type name and texts.</summary>
    /// <param name="type">A type name as in <see cref="TypeName"/>; null for an absent value.</param>
    /// <param name="data">The content as texts, as in <see cref="Data"/>.</param>
    /// <param name="value">The value that they make.</param>
    /// <returns>False when type and texts do not make a value.</returns>
    internal static bool TryParse(string? type, IReadOnlyList<string> data, out SettingValue value)
    {
        ArgumentNullException.ThrowIfNull(data);
        value = Absent;
        if (type is null)
        {
            return data.Count == 0;
        }

        if (type == "REG_MULTI_SZ")
        {
            value = Multi(data);
            return true;
        }

        if (data.Count != 1)
        {
            return false;
        }

        string text = data[0];
        if (type == "REG_DWORD" && uint.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out uint dword))
        {
            value = Dword(dword);
        }
        else if (type == "REG_QWORD" && ulong.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out ulong qword))
        {
            value = Qword(qword);
        }
        else if (type == "REG_SZ")
        {
            value = Of(text);
        }
        else if (type == "REG_EXPAND_SZ")
        {
            value = Expand(text);
        }
        else if (type == "REG_BINARY" && FromHex(text) is { } binary)
        {
            value = Binary(binary);
        }
        else if (type.StartsWith(OtherPrefix, StringComparison.Ordinal) && FromHex(text) is { } other
            && int.TryParse(type.AsSpan(OtherPrefix.Length), NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out int number))
        {
            value = Other(number, other);
        }
        else
        {
            return false;
        }

        return true;
    }

    private static byte[]? FromHex(string hex) => hex.Length % 2 == 0 && hex.All(char.IsAsciiHexDigit) ? Convert.FromHexString(hex) : null;
}

/// <summary>The type of a stored value. Reports use the names of the registry (winnt.h), also for stores with fewer types.</summary>
public enum SettingValueKind
{
    /// <summary>There is no value. A state of its own, not a default.</summary>
    Absent,

    /// <summary>REG_DWORD, 32 bits.</summary>
    Dword,

    /// <summary>REG_QWORD, 64 bits.</summary>
    Qword,

    /// <summary>REG_SZ, a text.</summary>
    Text,

    /// <summary>REG_EXPAND_SZ, not expanded.</summary>
    ExpandText,

    /// <summary>REG_MULTI_SZ, several texts.</summary>
    MultiText,

    /// <summary>REG_BINARY, bytes.</summary>
    Binary,

    /// <summary>Another registry type, kept byte for byte; never written by this program except to restore it.</summary>
    Other,
}
