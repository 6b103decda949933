namespace LatencyTuner.Core.Measurement.Probes;

/// <summary>The parsed address of a target that is not a latencytuner responder.</summary>
/// <param name="Text">The target as the user gave it.</param>
/// <param name="Scheme">The protocol used to ask it.</param>
/// <param name="Host">Name or address, without brackets.</param>
/// <param name="Port">TCP port; 0 for ICMP.</param>
/// <param name="Path">Path and query of HTTP and WebSocket, from the slash on; empty otherwise.</param>
public sealed record ProbeAddress(string Text, ProbeScheme Scheme, string Host, int Port, string Path)
{
    /// <summary>The valid forms, for an error message.</summary>
    public const string Valid = "tcp://HOST:PORT, http://HOST[:PORT][/PATH], https://, ws://, wss:// or icmp://HOST is expected";

    private const int LongestText = 2048;

    /// <summary>True when the connection uses TLS.</summary>
    public bool Secure => Scheme is ProbeScheme.Https or ProbeScheme.Wss;

    /// <summary>Host and port as HTTP writes them.</summary>
    public string Authority => $"{(Host.Contains(':', StringComparison.Ordinal) ? $"[{Host}]" : Host)}{(Port == (Secure ? 443 : 80) ? "" : $":{Port}")}";

    /// <summary>True for a text that names a scheme, known or not.</summary>
    /// <param name="text">A target.</param>
    public static bool IsProbeAddress(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        return text.Contains("://", StringComparison.Ordinal);
    }

    /// <summary>Parses a target.</summary>
    /// <param name="text">The target as the user gave it.</param>
    /// <exception cref="ExpectedFailureException">It has none of the valid forms (<see cref="ExitCode.Usage"/>).</exception>
    public static ProbeAddress Parse(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        if (text.Length > LongestText || text.Any(c => char.IsControl(c) || char.IsWhiteSpace(c)) || !Uri.TryCreate(text, UriKind.Absolute, out Uri? uri))
        {
            throw Bad(text, Valid);
        }

        ProbeScheme scheme = uri.Scheme switch
        {
            "tcp" => ProbeScheme.Tcp,
            "http" => ProbeScheme.Http,
            "https" => ProbeScheme.Https,
            "ws" => ProbeScheme.Ws,
            "wss" => ProbeScheme.Wss,
            "icmp" => ProbeScheme.Icmp,
            _ => throw Bad(text, Valid),
        };
        if (uri.UserInfo.Length > 0)
        {
            throw Bad(text, "it must not contain a user or a password, since reports print it");
        }

        if (uri.Fragment.Length > 0)
        {
            throw Bad(text, "it must not contain #, since the part after it is never sent to a server");
        }

        bool bare = scheme is ProbeScheme.Tcp or ProbeScheme.Icmp;
        if (uri.IdnHost.Length == 0 || uri.IdnHost.Length > 253 || (bare && uri.PathAndQuery.Trim('/').Length > 0))
        {
            throw Bad(text, Valid);
        }

        if (scheme == ProbeScheme.Icmp && uri.Port >= 0)
        {
            throw Bad(text, "ICMP has no ports");
        }

        if (scheme != ProbeScheme.Icmp && uri.Port is <= 0 or > 65535)
        {
            throw Bad(text, "a port from 1 to 65535 is expected after the host");
        }

        return new ProbeAddress(text, scheme, uri.IdnHost, scheme == ProbeScheme.Icmp ? 0 : uri.Port, bare ? "" : uri.PathAndQuery);
    }

    private static ExpectedFailureException Bad(string text, string valid) => new(ExitCode.Usage, $"Target '{Shown(text)}' is not valid: {valid}.");

    private static string Shown(string text)
    {
        string shown = string.Concat(text.Select(c => char.IsControl(c) ? '?' : c));
        int at = shown.LastIndexOf('@');
        int scheme = shown.IndexOf("://", StringComparison.Ordinal);
        // The part before the @ may be a password.
        shown = at > scheme && scheme >= 0 ? $"{shown[..(scheme + 3)]}...{shown[at..]}" : shown;
        return shown.Length > 80 ? shown[..80] + "..." : shown;
    }
}

/// <summary>The protocol used to ask a target.</summary>
public enum ProbeScheme
{
    /// <summary>A request of this program's own protocol to its responder.</summary>
    Responder,

    /// <summary>A TCP connection that is opened and closed.</summary>
    Tcp,

    /// <summary>An HTTP GET in clear text.</summary>
    Http,

    /// <summary>An HTTP GET over TLS.</summary>
    Https,

    /// <summary>A WebSocket ping in clear text (RFC 6455, section 5.5.2).</summary>
    Ws,

    /// <summary>A WebSocket ping over TLS.</summary>
    Wss,

    /// <summary>An ICMP echo (RFC 792, RFC 4443).</summary>
    Icmp,
}
