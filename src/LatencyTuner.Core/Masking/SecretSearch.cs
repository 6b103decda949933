using System.Text.RegularExpressions;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Masking;

/// <summary>Finds what could be a token in text, and puts three stars in its place.</summary>
/// <param name="known">Tokens by their text, of files that were named.</param>
internal sealed partial class SecretSearch(IReadOnlyCollection<string> known)
{
    /// <summary>A shorter token could be any word.</summary>
    public const int LeastLength = 6;

    private const string Stars = "***";

    /// <summary>How many were found.</summary>
    public int Found { get; private set; }

    /// <summary>The text without them.</summary>
    /// <param name="text">The text.</param>
    /// <param name="isEncoded">True where the text may be encoded figures as a whole, which look random as well.</param>
    public string Clean(string text, bool isEncoded = false)
    {
        foreach (string token in known)
        {
            text = Count(text, text.Contains(token, StringComparison.Ordinal) ? text.Replace(token, Stars, StringComparison.Ordinal) : text);
        }

        if (isEncoded || text.Length < LeastLength)
        {
            return text;
        }

        text = Count(text, StartOfFarEnd().Replace(text, "$1 " + Stars));
        text = Count(text, Given().Replace(text, m => m.Groups["value"].Value == Stars ? m.Value : m.Groups["name"].Value + Stars));
        text = Count(text, UrlUsers.Hidden(text));
        return Count(text, Random().Replace(text, Stars));
    }

    private string Count(string before, string after)
    {
        Found += ReferenceEquals(before, after) || before == after ? 0 : 1;
        return after;
    }

    /// <summary>The line by which the far end of --via tells where it is and its token.</summary>
    [GeneratedRegex(@"(LATENCYTUNER1)\s*\{.*?(\}|$)", RegexOptions.Singleline)]
    private static partial Regex StartOfFarEnd();

    [GeneratedRegex(
        @"(?<name>(?:--(?:token|password|secret)|\b(?:LATENCYTUNER_)?TOKEN|\bpassword|\bpwd)(?:\s*[=:]\s*|""\s*:\s*"")|--(?:token|password|secret)\s+)"
        + @"(?<value>'[^']*'|""[^""]*""|[^\s""',;]+)",
        RegexOptions.IgnoreCase)]
    private static partial Regex Given();

    /// <summary>32 bytes in base64, which is what token new makes.</summary>
    [GeneratedRegex(@"(?<![A-Za-z0-9+/=])[A-Za-z0-9+/]{43}=(?![A-Za-z0-9+/=])")]
    private static partial Regex Random();
}
