using System.Globalization;
using System.Text;
using LatencyTuner.Core.Settings;

namespace LatencyTuner.Core.Tuning;

/// <summary>Values as the text of a registration file ("Windows Registry Editor Version 5.00"), which regedit and reg import read.</summary>
internal static class RegFileText
{
    private const string NewLine = "\r\n";
    private const int BytesPerLine = 25;

    /// <summary>Writes values as the text of a registration file; null where none of them is in the registry.</summary>
    /// <param name="values">Places with their values; an absent one is deleted on import.</param>
    internal static string? OfRegistry(IReadOnlyCollection<(SettingLocation Location, SettingValue Value)> values) =>
        values.Any(v => v.Location is SettingLocation.Registry) ? Write(values) : null;

    /// <summary>Writes values as the text of a registration file.</summary>
    /// <param name="values">Places with their values; an absent one is deleted on import. TCP templates and transport filters, which a .reg
    /// file cannot hold, become comments.</param>
    /// <param name="absentContainers">Keys that did not exist: import removes them with everything in them.</param>
    /// <returns>Text with CRLF; regedit expects the file in UTF-16 with a byte-order mark.</returns>
    public static string Write(IEnumerable<(SettingLocation Location, SettingValue Value)> values, IReadOnlyCollection<string>? absentContainers = null)
    {
        ArgumentNullException.ThrowIfNull(values);
        StringBuilder text = new("Windows Registry Editor Version 5.00" + NewLine);
        List<(SettingLocation Location, SettingValue Value)> all = values.ToList();
        List<string> absent = Outermost(absentContainers ?? []);
        foreach (string container in absent)
        {
            text.Append(NewLine).Append("[-").Append(FullKey(container)).Append(']').Append(NewLine);
        }

        foreach (string? key in all.Select(v => v.Location).OfType<SettingLocation.Registry>().Select(l => l.Key).Distinct(RegistryPaths.Comparer))
        {
            // Naming a key creates it, so a key that is to be absent is named by its removal only.
            if (absent.Exists(a => RegistryPaths.Holds(a, new SettingLocation.Registry(key, ""))))
            {
                continue;
            }

            text.Append(NewLine).Append('[').Append(FullKey(key)).Append(']').Append(NewLine);
            foreach ((SettingLocation? location, SettingValue? value) in all)
            {
                if (location is SettingLocation.Registry registry && RegistryPaths.Comparer.Equals(registry.Key, key))
                {
                    text.Append(Line(registry.Value, value)).Append(NewLine);
                }
            }
        }

        foreach ((SettingLocation? location, SettingValue? value) in all)
        {
            if (location is SettingLocation.Template or SettingLocation.Filter)
            {
                text.Append(NewLine).Append("; ").Append(location).Append(" = ").Append(OneLine(value.ToString())).Append(NewLine);
            }
        }

        return text.ToString();
    }

    /// <summary>The bytes of a file that regedit reads: UTF-16, little-endian, with a byte-order mark.</summary>
    /// <param name="text">The text of the file.</param>
    public static byte[] ToFile(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        byte[] bytes = new byte[2 + (2 * text.Length)];
        (bytes[0], bytes[1]) = (0xFF, 0xFE);
        for (int i = 0; i < text.Length; i++)
        {
            (bytes[2 + (2 * i)], bytes[3 + (2 * i)]) = ((byte)text[i], (byte)(text[i] >> 8));
        }

        return bytes;
    }

    private static string Line(string name, SettingValue value)
    {
        string left = name.Length == 0 ? "@" : Quoted(name);
        return left + "=" + value.Kind switch
        {
            SettingValueKind.Absent => "-",
            SettingValueKind.Dword => "dword:" + value.Number!.Value.ToString("x8", CultureInfo.InvariantCulture),
            SettingValueKind.Qword => Hex("hex(b):", left, BitConverter.GetBytes(value.Number!.Value)),
            SettingValueKind.Text when !value.Text!.Any(c => char.IsControl(c) || char.IsSurrogate(c)) => Quoted(value.Text!),
            SettingValueKind.Text => Hex("hex(1):", left, Units(value.Text! + "\0")),
            SettingValueKind.ExpandText => Hex("hex(2):", left, Units(value.Text! + "\0")),
            SettingValueKind.MultiText => Hex("hex(7):", left, Units(string.Concat(value.Texts!.Select(t => t + "\0")) + "\0")),
            SettingValueKind.Binary => Hex("hex:", left, value.Bytes),
            _ => Hex($"hex({value.RawType:x}):", left, value.Bytes),
        };
    }

    private static string Hex(string prefix, string left, ReadOnlySpan<byte> bytes)
    {
        StringBuilder text = new(prefix);
        int room = Math.Max(1, BytesPerLine - ((left.Length + prefix.Length) / 3));
        for (int i = 0; i < bytes.Length; i++)
        {
            text.Append(CultureInfo.InvariantCulture, $"{bytes[i]:x2}");
            if (i + 1 == bytes.Length)
            {
                break;
            }

            text.Append(',');
            if (--room == 0)
            {
                text.Append('\\').Append(NewLine).Append("  ");
                room = BytesPerLine;
            }
        }

        return text.ToString();
    }

    private static byte[] Units(string text) => ToFile(text)[2..];

    private static string Quoted(string text) =>
        "\"" + text.Replace("\\", "\\\\", StringComparison.Ordinal).Replace("\"", "\\\"", StringComparison.Ordinal) + "\"";

    private static string FullKey(string key) => "HKEY_LOCAL_MACHINE" + key[4..];

    private static string OneLine(string text) => string.Concat(text.Select(c => char.IsControl(c) ? ' ' : c));

    private static List<string> Outermost(IReadOnlyCollection<string> containers) =>
        [.. containers.Where(c => !containers.Any(o => o.Length < c.Length && RegistryPaths.Holds(o, new SettingLocation.Registry(c, ""))))
            .Distinct(RegistryPaths.Comparer)];
}
