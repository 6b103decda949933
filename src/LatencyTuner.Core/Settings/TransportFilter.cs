using System.Globalization;
using System.Net;
using System.Text.RegularExpressions;

namespace LatencyTuner.Core.Settings;

/// <summary>What a transport filter matches: connections to a prefix, from and to ranges of ports. Windows uses the template of the filter for them.</summary>
/// <param name="DestinationPrefix">The remote prefix as Windows writes it, for example <c>10.0.0.0/8</c>; <c>*</c> for any.</param>
/// <param name="LocalPortStart">The first local port.</param>
/// <param name="LocalPortEnd">The last local port.</param>
/// <param name="RemotePortStart">The first remote port.</param>
/// <param name="RemotePortEnd">The last remote port.</param>
/// <param name="Protocol"><c>TCP</c> or <c>UDP</c>.</param>
/// <remarks>New-NetTransportFilter and MSFT_NetTransportFilter, learn.microsoft.com.</remarks>
public sealed partial record TransportFilter(
    string DestinationPrefix, ushort LocalPortStart = 0, ushort LocalPortEnd = ushort.MaxValue, ushort RemotePortStart = 0,
    ushort RemotePortEnd = ushort.MaxValue, string Protocol = "TCP")
{
    /// <summary>Protocol and ports in one word, exact in both directions.</summary>
    public string Ports => $"{Protocol} local {LocalPortStart}-{LocalPortEnd} remote {RemotePortStart}-{RemotePortEnd}";

    /// <summary>A filter from the command line: <c>PREFIX[:PORT]</c>, where the port is the remote one.</summary>
    /// <param name="text">For example <c>10.1.0.0/16:1433</c>, <c>fd00::/8</c>, <c>10.1.2.3</c>.</param>
    /// <exception cref="ExpectedFailureException">The text is not a filter (<see cref="ExitCode.Usage"/>); the sentence says what is valid.</exception>
    public static TransportFilter Parse(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        int slash = text.IndexOf('/', StringComparison.Ordinal);
        bool bracketed = text.StartsWith('[') && text.Contains(']', StringComparison.Ordinal);
        bool isBareIPv6 = slash < 0 && !bracketed && text.Count(c => c == ':') > 1;
        int colon = isBareIPv6 ? -1 : bracketed ? text.IndexOf(':', text.IndexOf(']', StringComparison.Ordinal)) : text.IndexOf(':', Math.Max(slash, 0));
        string prefix = (colon < 0 ? text : text[..colon]).Replace("[", "", StringComparison.Ordinal).Replace("]", "", StringComparison.Ordinal);
        ushort port = 0;
        if (colon >= 0 && (!ushort.TryParse(text.AsSpan(colon + 1), NumberStyles.None, CultureInfo.InvariantCulture, out port) || port == 0))
        {
            throw Invalid(text, $"'{text[(colon + 1)..]}' is not a port from 1 to 65535");
        }

        string[] parts = prefix.Split('/', 2);
        if (!IPAddress.TryParse(parts[0], out IPAddress? address)
            || (address.ToString() is var written && !string.Equals(written, parts[0], StringComparison.OrdinalIgnoreCase)))
        {
            throw Invalid(text, $"'{parts[0]}' is not an address in its usual form");
        }

        int bits = address.GetAddressBytes().Length * 8;
        int length = bits;
        if (parts.Length == 2 && (!int.TryParse(parts[1], NumberStyles.None, CultureInfo.InvariantCulture, out length) || length > bits))
        {
            throw Invalid(text, $"'{parts[1]}' is not a prefix length from 0 to {bits}");
        }

        IPAddress network = Masked(address, length);
        if (!network.Equals(address))
        {
            throw Invalid(text, $"{address}/{length} has bits beyond its length; {network}/{length} has none");
        }

        string whole = $"{written}/{length}";
        return port == 0 ? new(whole) : new(whole, RemotePortStart: port, RemotePortEnd: port);
    }

    /// <summary>The filter of a prefix and <see cref="Ports"/>; null when they make no filter.</summary>
    /// <param name="destinationPrefix">The remote prefix, as in <see cref="DestinationPrefix"/>.</param>
    /// <param name="ports">Protocol and ports, as in <see cref="Ports"/>.</param>
    public static TransportFilter? TryRead(string destinationPrefix, string ports)
    {
        ArgumentNullException.ThrowIfNull(destinationPrefix);
        ArgumentNullException.ThrowIfNull(ports);
        Match match = PortsForm().Match(ports);
        if (!match.Success || !IsPrefix(destinationPrefix))
        {
            return null;
        }

        ushort[] numbers = new ushort[4];
        for (int i = 0; i < 4; i++)
        {
            if (!ushort.TryParse(match.Groups[i + 2].ValueSpan, NumberStyles.None, CultureInfo.InvariantCulture, out numbers[i]))
            {
                return null;
            }
        }

        TransportFilter read = new(destinationPrefix, numbers[0], numbers[1], numbers[2], numbers[3], match.Groups[1].Value);
        return read.LocalPortStart <= read.LocalPortEnd && read.RemotePortStart <= read.RemotePortEnd && read.Ports == ports ? read : null;
    }

    /// <summary>The filter in a sentence: <c>10.1.0.0/16, remote port 1433</c>.</summary>
    public override string ToString()
    {
        string text = DestinationPrefix + Range("local", LocalPortStart, LocalPortEnd) + Range("remote", RemotePortStart, RemotePortEnd);
        return Protocol == "TCP" ? text : $"{text}, {Protocol}";
    }

    private static string Range(string which, ushort start, ushort end) => (start, end) switch
    {
        (0, ushort.MaxValue) => "",
        _ when start == end => $", {which} port {start}",
        _ => $", {which} ports {start} to {end}",
    };

    // A prefix has no other characters, so that text from a file cannot put a command into a line that is printed for a shell.
    private static bool IsPrefix(string text) => text.Length is > 0 and <= 64 && text.All(c => char.IsAsciiHexDigit(c) || c is '.' or ':' or '/' or '*');

    private static IPAddress Masked(IPAddress address, int length)
    {
        byte[] bytes = address.GetAddressBytes();
        for (int i = 0; i < bytes.Length; i++)
        {
            int kept = Math.Clamp(length - (i * 8), 0, 8);
            bytes[i] &= (byte)(0xFF << (8 - kept));
        }

        return new IPAddress(bytes);
    }

    private static ExpectedFailureException Invalid(string text, string because) =>
        new(ExitCode.Usage, $"--filter '{text}' is not valid: {because}; PREFIX[:PORT] is expected, for example 10.1.0.0/16:1433 or fd00::/8.");

    [GeneratedRegex("^(TCP|UDP) local ([0-9]{1,5})-([0-9]{1,5}) remote ([0-9]{1,5})-([0-9]{1,5})$")]
    private static partial Regex PortsForm();
}
