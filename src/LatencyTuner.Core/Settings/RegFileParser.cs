using System.Globalization;
using System.Text;

namespace LatencyTuner.Core.Settings;

/// <summary>Reads the lines of a .reg file. The result is what regedit would import into an empty registry.</summary>
internal sealed class RegFileParser(string path)
{
    /// <summary>Longest name of a key or value and longest text that is accepted, in characters.</summary>
    private const int MaxText = 1 << 20;

    /// <summary>The most deleted keys: each one searches all keys before it, and an export has none.</summary>
    private const int MaxDeleted = 1000;

    private static readonly UnicodeEncoding Utf16 = new(bigEndian: false, byteOrderMark: false, throwOnInvalidBytes: true);
    private static readonly (string Long, string Short)[] Roots =
    [
        ("HKEY_LOCAL_MACHINE", "HKLM"), ("HKEY_CURRENT_USER", "HKCU"), ("HKEY_CLASSES_ROOT", "HKCR"), ("HKEY_USERS", "HKU"), ("HKEY_CURRENT_CONFIG", "HKCC"),
    ];

    private string _text = "";
    private int _next;
    private int _line;
    private bool _version5;
    private Dictionary<string, SettingValue>? _values;

    internal Dictionary<string, Dictionary<string, SettingValue>> Keys { get; } = new(StringComparer.OrdinalIgnoreCase);

    internal HashSet<string> Deleted { get; } = new(StringComparer.OrdinalIgnoreCase);

    internal static string Decode(ReadOnlySpan<byte> bytes, string path)
    {
        try
        {
            return bytes switch
            {
                [0xFF, 0xFE, ..] => Utf16.GetString(bytes[2..]),
                [0xFE, 0xFF, ..] => new UnicodeEncoding(bigEndian: true, byteOrderMark: false, throwOnInvalidBytes: true).GetString(bytes[2..]),
                [0xEF, 0xBB, 0xBF, ..] => Encoding.UTF8.GetString(bytes[3..]),
                [not 0, 0, ..] => Utf16.GetString(bytes),
                [0, not 0, ..] => new UnicodeEncoding(bigEndian: true, byteOrderMark: false, throwOnInvalidBytes: true).GetString(bytes),
                // REGEDIT4 files use the code page of their machine, which the file does not name; keys and numbers are ASCII in every code page.
                _ => System.Text.Unicode.Utf8.IsValid(bytes) ? Encoding.UTF8.GetString(bytes) : Encoding.Latin1.GetString(bytes),
            };
        }
        catch (DecoderFallbackException failure)
        {
            throw new ExpectedFailureException(ExitCode.Input, $"{path}:1: not text at byte {failure.Index}; a .reg file is UTF-16 or UTF-8.", failure);
        }
    }

    internal void Read(string text)
    {
        _text = text;
        string? header = null;
        while (NextLine() is { } raw)
        {
            string line = raw.Trim();
            if (line.Length == 0 || line[0] == ';')
            {
                continue;
            }

            if (header is null)
            {
                header = line;
                _version5 = line == "Windows Registry Editor Version 5.00";
                if (!_version5 && line != "REGEDIT4")
                {
                    throw Fail($"expected \"Windows Registry Editor Version 5.00\" or \"REGEDIT4\", found {Quote(line)}");
                }
            }
            else if (line[0] == '[')
            {
                Key(line);
            }
            else if (line[0] is '"' or '@')
            {
                Value(raw.TrimStart());
            }
            else
            {
                throw Fail($"expected a key in brackets or a value in quotes, found {Quote(line)}");
            }
        }

        if (header is null)
        {
            throw Fail("expected \"Windows Registry Editor Version 5.00\" or \"REGEDIT4\", found the end of the file");
        }
    }

    private void Key(string line)
    {
        int end = line.LastIndexOf(']');
        string rest = end < 0 ? "" : line[(end + 1)..].TrimStart();
        if (end < 0 || (rest.Length > 0 && rest[0] != ';'))
        {
            throw Fail($"expected a key that ends with ']', found {Quote(line)}");
        }

        bool deleted = line.Length > 1 && line[1] == '-';
        string name = line[(deleted ? 2 : 1)..end].TrimEnd('\\');
        string root = name.Split('\\')[0];
        int known =
            Array.FindIndex(Roots, r => r.Long.Equals(root, StringComparison.OrdinalIgnoreCase) || r.Short.Equals(root, StringComparison.OrdinalIgnoreCase));
        if (known < 0)
        {
            throw Fail($"expected a key below HKEY_LOCAL_MACHINE or another root, found {Quote(name)}");
        }

        name = Roots[known].Short + name[root.Length..];
        if (deleted)
        {
            if (Deleted.Count >= MaxDeleted)
            {
                throw Fail($"expected at most {MaxDeleted} deleted keys");
            }

            foreach (string? gone in Keys.Keys
                .Where(k => k.Equals(name, StringComparison.OrdinalIgnoreCase) || k.StartsWith(name + '\\', StringComparison.OrdinalIgnoreCase)).ToList())
            {
                Keys.Remove(gone);
            }

            Deleted.Add(name);
            _values = null;
        }
        else if (!Keys.TryGetValue(name, out _values))
        {
            Keys[name] = _values = new(StringComparer.OrdinalIgnoreCase);
        }
    }

    private void Value(string line)
    {
        if (_values is null)
        {
            throw Fail("expected a key before this value");
        }

        int at = 1;
        string name = line[0] == '@' ? "" : Quoted(ref line, ref at);
        while (at < line.Length && char.IsWhiteSpace(line[at]))
        {
            at++;
        }

        if (at >= line.Length || line[at] != '=')
        {
            throw Fail($"expected '=' after the name of the value, found {Quote(line[Math.Min(at, line.Length)..])}");
        }

        string data = line[(at + 1)..].TrimStart();
        if (data.StartsWith('"'))
        {
            at = 1;
            string text = Quoted(ref data, ref at);
            End(data[at..]);
            _values[name] = SettingValue.Of(text);
        }
        else if (data.StartsWith("dword:", StringComparison.OrdinalIgnoreCase))
        {
            string digits = Uncommented(data["dword:".Length..]).Trim();
            if (digits.Length is 0 or > 8 || !uint.TryParse(digits, NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out uint number))
            {
                throw Fail($"expected one to eight hexadecimal digits after dword:, found {Quote(digits)}");
            }

            _values[name] = SettingValue.Dword(number);
        }
        else if (data.StartsWith("hex", StringComparison.OrdinalIgnoreCase))
        {
            _values[name] = Hex(data);
        }
        else if (Uncommented(data).Trim() == "-")
        {
            _values.Remove(name);
        }
        else
        {
            throw Fail($"expected a text in quotes, dword:, hex: or -, found {Quote(data)}");
        }
    }

    private SettingValue Hex(string data)
    {
        int type = 3;
        int at = 3;
        if (at < data.Length && data[at] == '(')
        {
            int close = data.IndexOf(')', StringComparison.Ordinal);
            if (close < 0 || !int.TryParse(data.AsSpan(4, close - 4), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out type))
            {
                throw Fail($"expected a type such as hex(7):, found {Quote(data)}");
            }

            at = close + 1;
        }

        if (at >= data.Length || data[at] != ':')
        {
            throw Fail($"expected ':' after hex, found {Quote(data)}");
        }

        List<byte> bytes = new();
        string rest = data[(at + 1)..];
        while (true)
        {
            string part = Uncommented(rest).Trim();
            bool continued = part.EndsWith('\\');
            if (continued)
            {
                part = part[..^1].Trim();
            }

            Bytes(part, bytes, continued);
            if (!continued)
            {
                return RegistryValueDecoder.Decode(type, bytes.ToArray(), wide: _version5);
            }

            rest = NextLine() ?? throw Fail("expected the bytes to go on after '\\', found the end of the file");
        }
    }

    private void Bytes(string part, List<byte> bytes, bool continued)
    {
        if (part.Length == 0)
        {
            return;
        }

        string[] pieces = part.Split(',');
        for (int i = 0; i < pieces.Length; i++)
        {
            string piece = pieces[i].Trim();
            if (piece.Length == 0 && i == pieces.Length - 1 && continued)
            {
                return;
            }

            if (piece.Length is 0 or > 2 || !byte.TryParse(piece, NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out byte value))
            {
                throw Fail($"expected two hexadecimal digits, found {Quote(piece)}");
            }

            bytes.Add(value);
        }
    }

    /// <summary>A text whose opening quote is before <paramref name="at"/>; texts with line breaks go on in the next line.</summary>
    private string Quoted(ref string line, ref int at)
    {
        int start = _line;
        StringBuilder text = new();
        while (true)
        {
            if (text.Length > MaxText)
            {
                throw Fail($"expected a text of at most {MaxText} characters");
            }

            if (at >= line.Length)
            {
                line = NextLine()
                    ?? throw new ExpectedFailureException(ExitCode.Input, $"{path}:{start}: expected a closing quote, found the end of the file.");
                at = 0;
                text.Append("\r\n");
                continue;
            }

            char c = line[at++];
            if (c == '"')
            {
                return text.ToString();
            }

            if (c == '\\' && at < line.Length)
            {
                c = line[at++];
            }

            text.Append(c);
        }
    }

    private void End(string rest)
    {
        rest = rest.Trim();
        if (rest.Length > 0 && rest[0] != ';')
        {
            throw Fail($"expected the end of the line after the text, found {Quote(rest)}");
        }
    }

    private static string Uncommented(string text)
    {
        int comment = text.IndexOf(';', StringComparison.Ordinal);
        return comment < 0 ? text : text[..comment];
    }

    private string? NextLine()
    {
        if (_next >= _text.Length)
        {
            return null;
        }

        _line++;
        int end = _text.IndexOf('\n', _next);
        string line = end < 0 ? _text[_next..] : _text[_next..end];
        _next = end < 0 ? _text.Length : end + 1;
        return line.TrimEnd('\r');
    }

    private ExpectedFailureException Fail(string sentence) => new(ExitCode.Input, $"{path}:{Math.Max(_line, 1)}: {sentence}.");

    private static string Quote(string value)
    {
        string cut = value.Length > 60 ? value[..60] + "..." : value;
        return "\"" + string.Concat(cut.Select(c => char.IsControl(c) || char.IsSurrogate(c) ? '?' : c)) + "\"";
    }
}
