using System.Globalization;
using System.Text.Json;
using LatencyTuner.Core.Settings;

namespace LatencyTuner.Core.Tuning;

/// <summary>Values to and from their JSON form, without loss.</summary>
public static class StoredValues
{
    private const string OtherPrefix = "REG_TYPE_";

    private static readonly (SettingValueKind Kind, string Name)[] Names =
    [
        (SettingValueKind.Dword, "REG_DWORD"),
        (SettingValueKind.Qword, "REG_QWORD"),
        (SettingValueKind.Text, "REG_SZ"),
        (SettingValueKind.ExpandText, "REG_EXPAND_SZ"),
        (SettingValueKind.MultiText, "REG_MULTI_SZ"),
        (SettingValueKind.Binary, "REG_BINARY"),
    ];

    /// <summary>The registry's name of a value's type; <c>absent</c> when there is none.</summary>
    /// <param name="value">The value.</param>
    public static string TypeName(SettingValue value) => SettingValueText.TypeOf(value) ?? "absent";

    /// <summary>The JSON form of a value.</summary>
    /// <param name="value">The value.</param>
    public static StoredValue From(SettingValue value)
    {
        ArgumentNullException.ThrowIfNull(value);
        if (value.IsAbsent)
            return new() { Absent = true };

        var texts = value.Text is { } text ? [text] : value.Texts;
        if (texts is not null && texts.Any(t => !IsUnicode(t)))
            return new() { Absent = false, Type = TypeName(value), Utf16 = [.. texts.Select(Hex)] };

        return new() { Absent = false, Type = TypeName(value), Value = Element(value) };
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
            return stored.Type is null && stored.Value is null && stored.Utf16 is null ? null : "an absent value to have no type and no value";

        if (stored.Type is null)
            return "a type such as \"REG_DWORD\", or \"absent\": true";

        var read = stored.Utf16 is { } units ? FromUnits(stored.Type, units) : stored.Value is { } element ? FromElement(stored.Type, element) : null;
        value = read ?? SettingValue.Absent;
        return read is not null ? null : Expected(stored.Type);
    }

    private static string Expected(string type) => type switch
    {
        "REG_DWORD" => "a REG_DWORD to be a whole number from 0 to 4294967295",
        "REG_QWORD" => "a REG_QWORD to be a whole number from 0 to 18446744073709551615",
        "REG_SZ" or "REG_EXPAND_SZ" => $"a {type} to be a text",
        "REG_MULTI_SZ" => "a REG_MULTI_SZ to be a list of texts",
        "REG_BINARY" => "a REG_BINARY to be bytes in hexadecimal",
        _ when RawType(type) is not null => $"a {type} to be bytes in hexadecimal",
        _ => $"one of {string.Join(", ", Names.Select(n => n.Name))} or {OtherPrefix} and a number as the type",
    };

    private static JsonElement Element(SettingValue value) => value.Kind switch
    {
        SettingValueKind.Dword or SettingValueKind.Qword => Parsed(value.Number!.Value.ToString(CultureInfo.InvariantCulture)),
        SettingValueKind.Text or SettingValueKind.ExpandText => Parsed(Quoted(value.Text!)),
        SettingValueKind.MultiText => Parsed("[" + string.Join(',', value.Texts!.Select(Quoted)) + "]"),
        _ => Parsed(Quoted(Convert.ToHexString(value.Bytes).ToLowerInvariant())),
    };

    private static string Quoted(string text) => "\"" + JsonEncodedText.Encode(text) + "\"";

    private static JsonElement Parsed(string json)
    {
        using var document = JsonDocument.Parse(json);
        return document.RootElement.Clone();
    }

    private static SettingValue? FromElement(string type, JsonElement element)
    {
        switch (type)
        {
            case "REG_DWORD":
                return element.ValueKind == JsonValueKind.Number && element.TryGetUInt32(out var dword) ? SettingValue.Dword(dword) : null;
            case "REG_QWORD":
                return element.ValueKind == JsonValueKind.Number && element.TryGetUInt64(out var qword) ? SettingValue.Qword(qword) : null;
            case "REG_SZ" or "REG_EXPAND_SZ":
                return TextOf(element) is { } text ? Texted(type, new List<string> { text }) : null;
            case "REG_MULTI_SZ":
                var texts = element.ValueKind == JsonValueKind.Array ? element.EnumerateArray().Select(TextOf).OfType<string>().ToList() : null;
                return texts is null || texts.Count != element.GetArrayLength() ? null : Texted(type, texts);
            default:
                return TextOf(element) is { } hex && FromHex(hex) is { } bytes ? Raw(type, bytes) : null;
        }
    }

    private static string? TextOf(JsonElement element)
    {
        try
        {
            return element.ValueKind == JsonValueKind.String ? element.GetString() : null;
        }
        catch (InvalidOperationException)
        {
            // An escaped lone surrogate is not a text.
            return null;
        }
    }

    private static SettingValue? FromUnits(string type, IReadOnlyList<string> units)
    {
        var texts = new List<string>();
        foreach (var hex in units)
        {
            if (hex is null || FromHex(hex) is not { } bytes || bytes.Length % 2 != 0)
                return null;

            texts.Add(string.Create(bytes.Length / 2, bytes, static (text, source) =>
            {
                for (var i = 0; i < text.Length; i++)
                    text[i] = (char)(source[2 * i] | (source[(2 * i) + 1] << 8));
            }));
        }

        return Texted(type, texts);
    }

    private static SettingValue? Texted(string type, List<string> texts) => type switch
    {
        "REG_SZ" when texts.Count == 1 => SettingValue.Of(texts[0]),
        "REG_EXPAND_SZ" when texts.Count == 1 => SettingValue.Expand(texts[0]),
        "REG_MULTI_SZ" => SettingValue.Multi(texts),
        _ => null,
    };

    private static SettingValue? Raw(string type, byte[] bytes) =>
        type == "REG_BINARY" ? SettingValue.Binary(bytes) : RawType(type) is { } raw ? SettingValue.Other(raw, bytes) : null;

    private static int? RawType(string type) =>
        type.StartsWith(OtherPrefix, StringComparison.Ordinal)
        && int.TryParse(type.AsSpan(OtherPrefix.Length), NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out var raw) ? raw : null;

    private static byte[]? FromHex(string hex)
    {
        try
        {
            return Convert.FromHexString(hex);
        }
        catch (FormatException)
        {
            return null;
        }
    }

    private static bool IsUnicode(string text)
    {
        for (var i = 0; i < text.Length; i++)
        {
            if (char.IsHighSurrogate(text[i]) && i + 1 < text.Length && char.IsLowSurrogate(text[i + 1]))
                i++;
            else if (char.IsSurrogate(text[i]))
                return false;
        }

        return true;
    }

    private static string Hex(string text)
    {
        var bytes = new byte[text.Length * 2];
        for (var i = 0; i < text.Length; i++)
            (bytes[2 * i], bytes[(2 * i) + 1]) = ((byte)text[i], (byte)(text[i] >> 8));

        return Convert.ToHexString(bytes).ToLowerInvariant();
    }
}
