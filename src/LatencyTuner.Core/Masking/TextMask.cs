using System.Net;
using System.Net.Sockets;
using System.Text.RegularExpressions;

namespace LatencyTuner.Core.Masking;

/// <summary>Masks addresses, paths, and the names that were met where names stand, in any text.</summary>
/// <param name="addresses">Masks addresses.</param>
/// <param name="names">The names and what stands in their places.</param>
internal sealed partial class TextMask(AddressMask addresses, Pseudonyms names)
{
    /// <summary>Words of this program, and of every network, that name no host.</summary>
    private static readonly HashSet<string> CommonWords = new(StringComparer.OrdinalIgnoreCase)
    {
        "localhost", "loopback", "client", "server", "target", "host", "this", "none", "unknown", "any", "both", "all", "path", "network", "responder", "local",
        "ethernet", "tcp", "udp", "http", "https", "http2", "test", "measure", "check", "latencytuner", "hosts", "standard", "input", "series", "value", "data",
        "sender", "receiver", "application", "pass", "fail", "stall", "done", "high", "low", "info", "warning", "critical", "likely", "possible", "confirmed",
    };

    private readonly Dictionary<string, string> _done = [];

    /// <summary>True for a word that says nothing of a host.</summary>
    public static bool IsCommon(string word) => CommonWords.Contains(word);

    /// <summary>The text with its names and addresses masked.</summary>
    public string Apply(string text)
    {
        const int MostKept = 4096;
        if (_done.TryGetValue(text, out string? done))
        {
            return done;
        }

        string masked = Masked(text);
        if (_done.Count == MostKept)
        {
            _done.Clear();
        }

        _done[text] = masked;
        return masked;
    }

    /// <summary>Forgets what was masked, because more names are known now.</summary>
    public void Forget() => _done.Clear();

    /// <summary>An address, with or without brackets and port, masked; null for other text.</summary>
    public string? Address(string word)
    {
        Match match = AddressAndPort().Match(word);
        string address = match.Success ? match.Groups["address"].Value : word;
        int zone = address.IndexOf('%', StringComparison.Ordinal);
        string bare = zone > 0 ? address[..zone] : address;
        bool isAddress = IPAddress.TryParse(bare, out IPAddress? parsed)
            && (parsed.AddressFamily == AddressFamily.InterNetworkV6 ? bare.Contains(':', StringComparison.Ordinal) : bare.Count(c => c == '.') == 3);
        if (!isAddress)
        {
            return null;
        }

        string masked = addresses.Mask(parsed!).ToString();
        return match.Success ? match.Groups["open"].Value + masked + match.Groups["rest"].Value : masked;
    }

    private string Masked(string text)
    {
        foreach (string phrase in names.Phrases)
        {
            text = text.Contains(phrase, StringComparison.OrdinalIgnoreCase)
                ? text.Replace(phrase, names.Find(phrase), StringComparison.OrdinalIgnoreCase) : text;
        }

        text = Paths().Replace(text, m => names.File(FileOf(m.Value)));
        text = Devices().Replace(text, m => Device(m.Value));
        text = V6().Replace(text, m => Address(m.Value) ?? m.Value);
        text = V4().Replace(text, m => Address(m.Value) ?? m.Value);
        return Words().Replace(text, m => Word(m.Value));
    }

    private string Word(string word)
    {
        string bare = word.TrimEnd('.', '-');
        if (bare.Length < Pseudonyms.LeastInText || IsCommon(bare))
        {
            return word;
        }

        string? known = names.Find(bare);
        int dot = bare.IndexOf('.', StringComparison.Ordinal);
        if (known is null && dot >= Pseudonyms.LeastInText && !IsCommon(bare[..dot]) && names.Find(bare[..dot]) is { } host
            && host.StartsWith("host-", StringComparison.Ordinal))
        {
            // The same host with its domain, or followed by what is no domain.
            known = char.IsLetter(bare[^1]) ? names.Host(bare) : host + bare[dot..];
        }

        return known is null ? word : known + word[bare.Length..];
    }

    private string Device(string text)
    {
        char between = text[2];
        byte[] bytes = Convert.FromHexString(text.Replace($"{between}", "", StringComparison.Ordinal));
        addresses.Device(bytes);
        return string.Join(between, bytes.Select(b => b.ToString(char.IsAsciiLetterLower(text.FirstOrDefault(char.IsLetter)) ? "x2" : "X2")));
    }

    /// <summary>The last part of a path of either system.</summary>
    public static string FileOf(string path)
    {
        string bare = path.TrimEnd('/', '\\');
        return bare[(bare.LastIndexOfAny(['/', '\\']) + 1)..] is { Length: > 0 } name ? name : path;
    }

    [GeneratedRegex(@"^(?<open>\[?)(?<address>(?<=\[)[^\]]+|\d+\.\d+\.\d+\.\d+)(?<rest>\]?(:\d+|/\d+)?)$")]
    private static partial Regex AddressAndPort();

    [GeneratedRegex(@"(?<![\w.])\d{1,3}(\.\d{1,3}){3}(?![\w])(?!\.\d)")]
    private static partial Regex V4();

    [GeneratedRegex(@"(?<![\w:.])(?=[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*:)[0-9A-Fa-f:.]*[0-9A-Fa-f:](%\w+)?(?![\w:])")]
    private static partial Regex V6();

    [GeneratedRegex(@"(?<![0-9A-Fa-f:-])[0-9A-Fa-f]{2}([:-])([0-9A-Fa-f]{2}\1){4}[0-9A-Fa-f]{2}(?![0-9A-Fa-f:-])")]
    private static partial Regex Devices();

    /// <summary>A path from a drive, a share, or the root with a second part; not within a URL, a unit or the name of a schema.</summary>
    [GeneratedRegex(
        @"(?<![\w.:/\\~-])(?:[A-Za-z]:[\\/][^""'<>|:*?\r\n;,()]*[^""'<>|:*?\s;,().]|\\\\[^\s""'<>|:*?;,()]+"
        + @"|(?:~|\.{1,2})?/(?!proc/|sys/|dev/)[^\s""'<>|:;,()/]+(?:/[^\s""'<>|:;,()]+)+)")]
    private static partial Regex Paths();

    [GeneratedRegex(@"[A-Za-z0-9_][A-Za-z0-9_.-]*")]
    private static partial Regex Words();
}
