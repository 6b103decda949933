using System.Text.RegularExpressions;

namespace LatencyTuner.Core.Text;

/// <summary>Users and passwords in URLs (RFC 3986 3.2.1), which nothing that is kept may hold.</summary>
public static partial class UrlUsers
{
    /// <summary>The text with three stars in the place of each.</summary>
    /// <param name="text">Any text.</param>
    public static string Hidden(string text) => UserOfAddress().Replace(text, "://***@");

    [GeneratedRegex(@"(?<=[A-Za-z0-9+.-])://[^/\s@]*@")]
    private static partial Regex UserOfAddress();
}
