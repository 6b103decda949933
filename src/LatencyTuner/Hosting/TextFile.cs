using System.Text;

namespace LatencyTuner.Hosting;

/// <summary>Text as Windows writes it: UTF-8 or UTF-16, with or without a byte order mark (Windows PowerShell 5.1 <c>&gt;</c> writes UTF-16).</summary>
internal static class TextFile
{
    public static string Decode(byte[] bytes)
    {
        Encoding encoding = bytes switch
        {
            [0xFF, 0xFE, ..] => Encoding.Unicode,
            [0xFE, 0xFF, ..] => Encoding.BigEndianUnicode,
            [_, 0, _, 0, ..] => Encoding.Unicode,
            [0, _, 0, _, ..] => Encoding.BigEndianUnicode,
            _ => Encoding.UTF8,
        };
        return encoding.GetString(bytes).TrimStart('\uFEFF');
    }
}
