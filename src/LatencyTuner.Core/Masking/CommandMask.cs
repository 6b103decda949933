using System.Text.RegularExpressions;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Masking;

/// <summary>Masks command lines: of their words only options, numbers and words of this program stay, because any other may be a name.</summary>
/// <param name="text">Masks text.</param>
/// <param name="names">The names and what stands in their places.</param>
internal sealed partial class CommandMask(TextMask text, Pseudonyms names)
{
    private static readonly string[] Programs = ["latencytuner", "latencytuner.exe"];

    /// <summary>Options whose values are words of this program.</summary>
    private static readonly HashSet<string> WordOptions =
    [
        "--format", "--fail-on", "--severity", "--progress", "--profile", "--workload", "--setting", "--chart", "--mode", "--with", "--windows",
        "--dimension", "--protocol", "--for", "--layout", "--provider", "--color", "--sort", "--by", "--shape", "--arrivals",
    ];

    private static readonly HashSet<string> UserOptions = ["--operator", "--user", "-l"];

    private static readonly HashSet<string> FreeOptions = ["--note", "--label"];

    /// <summary>True for a command line of this program, with its name or its path in front.</summary>
    public static bool IsCommand(string line)
    {
        int end = line.IndexOf(' ', StringComparison.Ordinal);
        string first = (end < 0 ? line : line[..end]).Trim('\'', '"', '&');
        return Programs.Contains(TextMask.FileOf(first), StringComparer.OrdinalIgnoreCase);
    }

    /// <summary>The command line with its names and addresses masked; its comment is text.</summary>
    public string Apply(string line)
    {
        int comment = line.IndexOf("   # ", StringComparison.Ordinal);
        string command = comment < 0 ? line : line[..comment];
        string end = comment < 0 ? "" : text.Apply(line[comment..]);
        List<string> words = [];
        string? option = null;
        bool isSubcommand = true;
        foreach (Match match in CommandWords().Matches(command))
        {
            string word = match.Value;
            if (words.Count == 0)
            {
                words.Add("latencytuner");
                continue;
            }

            if (word.StartsWith('-') && word.Length > 1)
            {
                isSubcommand = false;
                int equals = word.IndexOf('=', StringComparison.Ordinal);
                option = equals < 0 ? word : null;
                words.Add(equals < 0 ? word : $"{word[..equals]}={Value(word[..equals], word[(equals + 1)..])}");
                continue;
            }

            words.Add(isSubcommand && Subcommand().IsMatch(word) && words.Count <= 2 && IsKnown(words.Count, word) ? word : Value(option, word));
            isSubcommand &= words.Count <= 2;
            option = null;
        }

        return string.Join(' ', words) + end;
    }

    private static bool IsKnown(int place, string word) => place == 1 || word is "new" or "points" or "rate" or "get" or "test" or "set" or "export";

    private string Value(string? option, string given)
    {
        string word = Unquoted(given);
        if (option == "--ticket" && word.Length > 0)
        {
            // A number too: the ticket of a change is a name.
            return ShellQuoting.Of(names.Of("ticket", word), windows: false);
        }

        if (Number().IsMatch(word) || (option is not null && WordOptions.Contains(option) && Subcommand().IsMatch(word)) || word is "-" or "stop;")
        {
            return given;
        }

        string masked = text.Address(word)
            ?? (option is not null && UserOptions.Contains(option) ? names.Of("user", word)
            : option is not null && FreeOptions.Contains(option) ? text.Apply(word)
            : IsFile(word) ? names.File(TextMask.FileOf(word))
            : word.Contains(' ', StringComparison.Ordinal) ? string.Join(' ', word.Split(' ').Select(w => Value(null, w)))
            : word.StartsWith('-') || TextMask.IsCommon(word) || word is "ssh" or "kubectl" or "docker" or "exec" or "pwsh" or "powershell" ? word
            : Host(word));
        return ShellQuoting.Of(masked, windows: false);
    }

    /// <summary>A host, with a user before it, a scheme and a port.</summary>
    private string Host(string word)
    {
        Match match = UserHostPort().Match(word);
        if (!match.Success)
        {
            return names.Of("name", word);
        }

        string host = match.Groups["host"].Value;
        string user = match.Groups["user"] is { Success: true } given ? names.Of("user", given.Value) + "@" : "";
        return match.Groups["scheme"].Value + user + (text.Address(host) ?? (TextMask.IsCommon(host) ? host : names.Host(host))) + match.Groups["port"].Value;
    }

    private static bool IsFile(string word) => word.IndexOfAny(['/', '\\', '*', '?']) >= 0 && !word.Contains("://", StringComparison.Ordinal)
        || KnownExtension().IsMatch(word);

    private static string Unquoted(string word) => word.Length >= 2 && word[0] is '\'' or '"' && word[^1] == word[0]
        ? word[1..^1].Replace("'\\''", "'", StringComparison.Ordinal).Replace("''", "'", StringComparison.Ordinal) : word;

    [GeneratedRegex(@"(?:'(?:[^']|'\\''|'')*'|""[^""]*""|[^\s'""])+")]
    private static partial Regex CommandWords();

    [GeneratedRegex("^[a-z][a-z0-9-]{1,30}$")]
    private static partial Regex Subcommand();

    [GeneratedRegex(@"^[\d.,:x*-]+([a-zA-Zµ%]{1,4}(/s)?)?$")]
    private static partial Regex Number();

    [GeneratedRegex(@"\.(json|pcap|pcapng|cap|etl|gz|zip|csv|log|txt|html|xml|svg|key|token|snoop|jsonl|ps1|reg)$", RegexOptions.IgnoreCase)]
    private static partial Regex KnownExtension();

    [GeneratedRegex(@"^(?<scheme>[a-z0-9]+://)?(?:(?<user>[^@\s:/]+)(?::[^@\s]*)?@)?(?<host>\[[^\]]+\]|[\w.-]+)(?<port>:\d+)?/?$")]
    private static partial Regex UserHostPort();
}
