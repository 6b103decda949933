using System.Globalization;

namespace LatencyTuner.Core.Settings;

/// <summary>Values as type name and texts, the form in which documents hold them; exact in both directions.</summary>
public static class SettingValueText
{
    private const string OtherPrefix = "REG_TYPE_";

    /// <summary>The registry's name of a value's type, <c>REG_TYPE_n</c> for types without a name here; null when absent.</summary>
    /// <param name="value">The value.</param>
    public static string? TypeOf(SettingValue value)
    {
        ArgumentNullException.ThrowIfNull(value);
        return value.Kind switch
        {
            SettingValueKind.Absent => null,
            SettingValueKind.Dword => "REG_DWORD",
            SettingValueKind.Qword => "REG_QWORD",
            SettingValueKind.Text => "REG_SZ",
            SettingValueKind.ExpandText => "REG_EXPAND_SZ",
            SettingValueKind.MultiText => "REG_MULTI_SZ",
            SettingValueKind.Binary => "REG_BINARY",
            _ => OtherPrefix + value.RawType.ToString(CultureInfo.InvariantCulture),
        };
    }

    /// <summary>The content: one text, several for REG_MULTI_SZ, none when absent.</summary>
    /// <param name="value">The value.</param>
    public static IReadOnlyList<string> DataOf(SettingValue value)
    {
        ArgumentNullException.ThrowIfNull(value);
        return value.Kind switch
        {
            SettingValueKind.Absent => [],
            SettingValueKind.Dword or SettingValueKind.Qword => [value.Number!.Value.ToString(CultureInfo.InvariantCulture)],
            SettingValueKind.Text or SettingValueKind.ExpandText => [value.Text!],
            SettingValueKind.MultiText => value.Texts!,
            _ => [Convert.ToHexString(value.Bytes).ToLowerInvariant()],
        };
    }

    /// <summary>The value of a type name and texts.</summary>
    /// <param name="type">A name that <see cref="TypeOf"/> gives; null for absence.</param>
    /// <param name="data">The texts.</param>
    /// <param name="value">The value.</param>
    /// <returns>False when type and texts do not make one.</returns>
    public static bool TryParse(string? type, IReadOnlyList<string> data, out SettingValue value)
    {
        ArgumentNullException.ThrowIfNull(data);
        value = SettingValue.Absent;
        if (type is null)
        {
            return data.Count == 0;
        }

        if (type == "REG_MULTI_SZ")
        {
            value = SettingValue.Multi(data);
            return true;
        }

        if (data.Count != 1)
        {
            return false;
        }

        string text = data[0];
        if (type == "REG_DWORD" && uint.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out uint dword))
        {
            value = SettingValue.Dword(dword);
        }
        else if (type == "REG_QWORD" && ulong.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out ulong qword))
        {
            value = SettingValue.Qword(qword);
        }
        else if (type == "REG_SZ")
        {
            value = SettingValue.Of(text);
        }
        else if (type == "REG_EXPAND_SZ")
        {
            value = SettingValue.Expand(text);
        }
        else if (type == "REG_BINARY" && Bytes(text) is { } binary)
        {
            value = SettingValue.Binary(binary);
        }
        else if (type.StartsWith(OtherPrefix, StringComparison.Ordinal) && Bytes(text) is { } other
            && int.TryParse(type.AsSpan(OtherPrefix.Length), NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out int number))
        {
            value = SettingValue.Other(number, other);
        }
        else
        {
            return false;
        }

        return true;
    }

    private static byte[]? Bytes(string hex) => hex.Length % 2 == 0 && hex.All(char.IsAsciiHexDigit) ? Convert.FromHexString(hex) : null;
}
