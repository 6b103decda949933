using System.Text;

namespace LatencyTuner.Core.Text;

/// <summary>Splits a command into words by the quoting rules of POSIX shells (XCU 2.2), without a shell: nothing is expanded, run or redirected.</summary>
public static class ShellWords
{
    /// <summary>Splits a command.</summary>
    /// <param name="text">The command; a backslash, single and double quotes quote as in a POSIX shell.</param>
    /// <param name="option">The option that holds it, for the error message.</param>
    /// <exception cref="ExpectedFailureException">A quote is open, it ends with a backslash, or has no words (<see cref="ExitCode.Usage"/>).</exception>
    public static IReadOnlyList<string> Split(string text, string option)
    {
        ArgumentNullException.ThrowIfNull(text);
        List<string> words = [];
        StringBuilder? word = null;
        for (int i = 0; i < text.Length; i++)
        {
            char c = text[i];
            if (c is ' ' or '\t' or '\n' or '\r')
            {
                Add(words, ref word);
                continue;
            }

            word ??= new StringBuilder();
            switch (c)
            {
                case '\\':
                    i++;
                    _ = i < text.Length ? word.Append(text[i])
                        : throw Bad(option, text, "it ends with a backslash, which quotes the next character; write a path with / or in single quotes");
                    break;
                case '\'':
                    int end = text.IndexOf('\'', i + 1);
                    _ = end >= 0 ? word.Append(text, i + 1, end - i - 1) : throw Bad(option, text, $"the quote at character {i + 1} is not closed");
                    i = end;
                    break;
                case '"':
                    i = InDoubleQuotes(text, i, word) ?? throw Bad(option, text, $"the quote at character {i + 1} is not closed");
                    break;
                default:
                    _ = word.Append(c);
                    break;
            }
        }

        Add(words, ref word);
        return words.Count > 0 ? words : throw Bad(option, text, "a command is expected, such as ssh or 'ssh admin@db1'");
    }

    /// <summary>Takes what stands in double quotes; returns the place of the closing one, or null without one.</summary>
    private static int? InDoubleQuotes(string text, int open, StringBuilder word)
    {
        for (int i = open + 1; i < text.Length; i++)
        {
            if (text[i] == '"')
            {
                return i;
            }

            // Before other characters the backslash is a backslash.
            if (text[i] == '\\' && i + 1 < text.Length && text[i + 1] is '$' or '`' or '"' or '\\')
            {
                i++;
            }

            _ = word.Append(text[i]);
        }

        return null;
    }

    private static void Add(List<string> words, ref StringBuilder? word)
    {
        if (word is not null)
        {
            words.Add(word.ToString());
            word = null;
        }
    }

    private static ExpectedFailureException Bad(string option, string text, string why) =>
        new(ExitCode.Usage, $"{option} '{Quoting.Plain(text)}' is not a command: {why}.");
}
