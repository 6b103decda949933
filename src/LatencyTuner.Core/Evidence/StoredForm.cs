using System.Globalization;
using System.Text.Json;

namespace LatencyTuner.Core.Evidence;

/// <summary>
/// The one JSON form of stored values in snapshots, plans, the journal and reports. The type decides the form: a number, a text, a list of texts,
/// or bytes in hexadecimal. A text that is not valid Unicode is stored as its UTF-16 code units in hexadecimal. Exact in both directions.
/// </summary>
internal static class StoredForm
{
    private const string List = "REG_MULTI_SZ";

    private static readonly string[] Numbers = ["REG_DWORD", "REG_QWORD"];

    /// <summary>Converts texts to the JSON form of their type.</summary>
    /// <param name="type">Registry name of the type; null when absent or not read.</param>
    /// <param name="texts">A decimal number, a text, hexadecimal bytes; several for <c>REG_MULTI_SZ</c>; none when absent or not read.</param>
    public static (JsonElement? Value, IReadOnlyList<string>? Utf16) From(string? type, IReadOnlyList<string> texts)
    {
        ArgumentNullException.ThrowIfNull(texts);
        if (type is null)
        {
            return (null, null);
        }

        if (texts.Any(t => !IsUnicode(t)))
        {
            return (null, [.. texts.Select(Hex)]);
        }

        if (type == List || texts.Count != 1)
        {
            return (Parsed("[" + string.Join(',', texts.Select(Quoted)) + "]"), null);
        }

        bool isNumber = Numbers.Contains(type) && ulong.TryParse(texts[0], NumberStyles.None, CultureInfo.InvariantCulture, out _)
            && (texts[0] == "0" || texts[0][0] != '0');
        return (Parsed(isNumber ? texts[0] : Quoted(texts[0])), null);
    }

    /// <summary>Converts a JSON form back to its texts.</summary>
    /// <param name="type">Registry name of the type; null when absent or not read.</param>
    /// <param name="value">The number, text, list or bytes.</param>
    /// <param name="utf16">The code units; null where the texts are in the value.</param>
    /// <returns>The texts; null when the form does not fit the type.</returns>
    public static IReadOnlyList<string>? Texts(string? type, JsonElement? value, IReadOnlyList<string>? utf16)
    {
        if (utf16 is not null)
        {
            List<string> units = utf16.Select(FromUnits).OfType<string>().ToList();
            return value is null && units.Count == utf16.Count ? units : null;
        }

        if (value is not { ValueKind: not (JsonValueKind.Null or JsonValueKind.Undefined) } element)
        {
            return type is null ? [] : null;
        }

        switch (element.ValueKind)
        {
            case JsonValueKind.Number when Numbers.Contains(type) && element.TryGetUInt64(out ulong number):
                return [number.ToString(CultureInfo.InvariantCulture)];
            case JsonValueKind.String when !Numbers.Contains(type) && type != List:
                return TextOf(element) is { } text ? [text] : null;
            case JsonValueKind.Array when type == List:
                List<string> texts = element.EnumerateArray().Select(TextOf).OfType<string>().ToList();
                return texts.Count == element.GetArrayLength() ? texts : null;
            default:
                return null;
        }
    }

    private static string Quoted(string text) => "\"" + JsonEncodedText.Encode(text) + "\"";

    private static JsonElement Parsed(string json)
    {
        using JsonDocument document = JsonDocument.Parse(json);
        return document.RootElement.Clone();
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

    private static string? FromUnits(string? hex)
    {
        if (hex is null || hex.Length % 4 != 0 || !hex.All(char.IsAsciiHexDigit))
        {
            return null;
        }

        byte[] bytes = Convert.FromHexString(hex);
        return string.Create(bytes.Length / 2, bytes, static (text, source) =>
        {
            for (int i = 0; i < text.Length; i++)
            {
                text[i] = (char)(source[2 * i] | (source[(2 * i) + 1] << 8));
            }
        });
    }

    private static string Hex(string text)
    {
        byte[] bytes = new byte[text.Length * 2];
        for (int i = 0; i < text.Length; i++)
        {
            (bytes[2 * i], bytes[(2 * i) + 1]) = ((byte)text[i], (byte)(text[i] >> 8));
        }

        return Convert.ToHexString(bytes).ToLowerInvariant();
    }

    private static bool IsUnicode(string text)
    {
        for (int i = 0; i < text.Length; i++)
        {
            if (char.IsHighSurrogate(text[i]) && i + 1 < text.Length && char.IsLowSurrogate(text[i + 1]))
            {
                i++;
            }
            else if (char.IsSurrogate(text[i]))
            {
                return false;
            }
        }

        return true;
    }
}
