using System.Text;

namespace LatencyTuner.Commands;

/// <summary>What a shell asks for: the words of its command line, and the one at the cursor.</summary>
/// <param name="Before">The words after the program's name and before the cursor.</param>
/// <param name="Word">The part of the word at the cursor that is before the cursor; empty behind a blank.</param>
/// <param name="After">The words behind the one at the cursor.</param>
internal sealed record CompletionRequest(IReadOnlyList<string> Before, string Word, IReadOnlyList<string> After)
{
    /// <summary>
    /// Reads what the shells' scripts send: the index of the word at the cursor, then the words, each ended by NUL, all of it UTF-8 in Base64. It
    /// is one argument without blanks and quotes, because Windows PowerShell 5.1 passes an argument with quotes on to a program as several.
    /// </summary>
    /// <returns>The request; null when the text is none.</returns>
    public static CompletionRequest? Read(string text)
    {
        Span<byte> bytes = new byte[text.Length];
        if (!Convert.TryFromBase64String(text, bytes, out int length))
        {
            return null;
        }

        string[] parts = Encoding.UTF8.GetString(bytes[..length]).Split('\0');
        string[] words = parts.Length > 1 && parts[^1].Length == 0 ? parts[1..^1] : [];
        return int.TryParse(parts[0], out int at) && at >= 0 && at < words.Length ? new(words[..at], words[at], words[(at + 1)..]) : null;
    }
}
