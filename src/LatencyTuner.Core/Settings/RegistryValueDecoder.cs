using System.Buffers.Binary;
using System.Text;

namespace LatencyTuner.Core.Settings;

/// <summary>Makes a value from the type number and the bytes that a registry holds. Data that does not fit its type stays bytes: nothing is guessed.</summary>
/// <remarks>Types: winnt.h, REG_NONE (0) to REG_QWORD (11).</remarks>
public static class RegistryValueDecoder
{
    private static readonly UnicodeEncoding Utf16 = new(bigEndian: false, byteOrderMark: false, throwOnInvalidBytes: true);

    /// <summary>
    /// The value of a type and its data. Texts without their final zero, with a zero inside, of odd length or with half a surrogate pair, numbers of
    /// another size and types without a form of their own are <see cref="SettingValueKind.Other"/> with all bytes.
    /// </summary>
    /// <param name="type">The registry's number of the type.</param>
    /// <param name="bytes">The data as stored.</param>
    /// <param name="wide">True: texts are UTF-16, little endian; false: one byte a character, as in REGEDIT4 files.</param>
    public static SettingValue Decode(int type, ReadOnlySpan<byte> bytes, bool wide = true)
    {
        switch (type)
        {
            case 3:
                return SettingValue.Binary(bytes);
            case 4 when bytes.Length == 4:
                return SettingValue.Dword(BinaryPrimitives.ReadUInt32LittleEndian(bytes));
            case 11 when bytes.Length == 8:
                return SettingValue.Qword(BinaryPrimitives.ReadUInt64LittleEndian(bytes));
            case 1 or 2 when Terminated(bytes, wide) is { } text && !text.Contains('\0', StringComparison.Ordinal):
                return type == 1 ? SettingValue.Of(text) : SettingValue.Expand(text);
            case 7 when Terminated(bytes, wide) is { } texts:
                if (texts.Length == 0)
                {
                    return SettingValue.Multi([]);
                }

                string[] parts = texts.Split('\0');
                return parts.Length > 1 && parts[^1].Length == 0 && parts[..^1].All(p => p.Length > 0)
                    ? SettingValue.Multi(parts[..^1])
                    : SettingValue.Other(type, bytes);
            default:
                return SettingValue.Other(type, bytes);
        }
    }

    /// <summary>
    /// The text of a value for display: up to the first zero, also where the final zero is missing, as the programs of Windows show it. Null
    /// when it is not text. Not for values that are written back.
    /// </summary>
    /// <param name="value">The value, of any type.</param>
    public static string? TextOf(SettingValue value)
    {
        ArgumentNullException.ThrowIfNull(value);
        if (value.Text is { } text)
        {
            return text;
        }

        if (value is not { Kind: SettingValueKind.Other, RawType: 1 or 2 })
        {
            return null;
        }

        string shown = Encoding.Unicode.GetString(value.Bytes[..(value.Bytes.Length & ~1)]);
        int end = shown.IndexOf('\0', StringComparison.Ordinal);
        return end < 0 ? shown : shown[..end];
    }

    /// <summary>The text before its final zero; null when there is none or it is not text.</summary>
    private static string? Terminated(ReadOnlySpan<byte> bytes, bool wide)
    {
        if (wide && bytes.Length % 2 != 0)
        {
            return null;
        }

        try
        {
            string text = wide ? Utf16.GetString(bytes) : Encoding.Latin1.GetString(bytes);
            return text.EndsWith('\0') ? text[..^1] : null;
        }
        catch (DecoderFallbackException)
        {
            return null;
        }
    }
}
