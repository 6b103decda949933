using System.Text;

namespace LatencyTuner.Core.Text;

/// <summary>Escapes text for XML and HTML, so that one rule protects every output that has markup.</summary>
internal static class Markup
{
    /// <summary>The text with markup characters escaped; characters that XML 1.0 does not allow become U+FFFD.</summary>
    internal static string Escape(string? text)
    {
        if (string.IsNullOrEmpty(text))
        {
            return "";
        }

        StringBuilder escaped = new(text.Length + 16);
        foreach (Rune rune in text.EnumerateRunes())
        {
            _ = rune.Value switch
            {
                '<' => escaped.Append("&lt;"),
                '>' => escaped.Append("&gt;"),
                '&' => escaped.Append("&amp;"),
                '"' => escaped.Append("&quot;"),
                '\'' => escaped.Append("&#39;"),
                _ => Append(escaped, rune),
            };
        }

        return escaped.ToString();
    }

    /// <summary>The text as one line; control characters and those that turn the direction of text become U+FFFD.</summary>
    internal static string Plain(string? text)
    {
        StringBuilder plain = new(text?.Length ?? 0);
        foreach (Rune rune in (text ?? "").EnumerateRunes())
        {
            Append(plain, rune);
        }

        return plain.ToString();
    }

    private static StringBuilder Append(StringBuilder line, Rune rune) => rune.Value switch
    {
        '\t' or '\n' or '\r' => line.Append(' '),
        < 0x20 or (>= 0x7F and < 0xA0) or (>= 0x2028 and <= 0x202E) or (>= 0x2066 and <= 0x2069) or 0xFFFE or 0xFFFF => line.Append('\uFFFD'),
        _ => line.Append(rune.ToString()),
    };
}
