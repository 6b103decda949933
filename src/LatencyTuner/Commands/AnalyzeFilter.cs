using System.Globalization;
using System.Net;
using System.Net.Sockets;
using LatencyTuner.Core;
using LatencyTuner.Core.Recordings;

namespace LatencyTuner.Commands;

/// <summary><c>--filter</c> of <c>analyze</c>.</summary>
internal static class AnalyzeFilter
{
    /// <summary>
    /// Reads filters: a name, <c>=</c> (or <c>==</c>, or a space, as other programs write it) and a value. Hosts and ports may have several, with commas.
    /// </summary>
    public static RecordingFilter Parse(IReadOnlyList<string> texts)
    {
        RecordingFilter filter = RecordingFilter.All;
        foreach (string text in texts)
        {
            int at = text.AsSpan().IndexOfAny('=', ' ');
            (string name, string value) = at < 0 ? (text, "") : (text[..at], text[at..].Trim('=', ' '));
            filter = name switch
            {
                "host" when All(value, Network) is { } hosts => filter with { Hosts = [.. filter.Hosts, .. hosts] },
                "port" when All(value, Ports) is { } ports => filter with { Ports = [.. filter.Ports, .. ports] },
                "after" when Time(value) is { } time => filter with { After = time },
                "before" when Time(value) is { } time => filter with { Before = time },
                _ => throw new ExpectedFailureException(
                    ExitCode.Usage,
                    $"--filter '{text}' is not valid. Valid are host=ADDRESS[/BITS], port=N[-M] from 1 to 65535 (several with commas), after=TIME and "
                    + "before=TIME. Examples: host=10.0.0.0/8, port=80,8000-8099, after=2026-11-20T17:40:00Z."),
            };
        }

        return filter;
    }

    private static List<T>? All<T>(string values, Func<string, T?> read)
        where T : struct
    {
        List<T> all = [];
        foreach (string value in values.Split(',', StringSplitOptions.TrimEntries))
        {
            if (read(value) is not { } one)
            {
                return null;
            }

            all.Add(one);
        }

        return all;
    }

    private static IPNetwork? Network(string value)
    {
        int at = value.IndexOf('/', StringComparison.Ordinal);
        if (Address(at < 0 ? value : value[..at]) is not { } address)
        {
            return null;
        }

        byte[] bytes = address.GetAddressBytes();
        int bits = bytes.Length * 8;
        if (at >= 0 && !(int.TryParse(value.AsSpan(at + 1), NumberStyles.None, CultureInfo.InvariantCulture, out bits) && bits <= bytes.Length * 8))
        {
            return null;
        }

        for (int i = 0; i < bytes.Length; i++)
        {
            bytes[i] &= (byte)~(0xff >> Math.Clamp(bits - (i * 8), 0, 8));
        }

        return new IPNetwork(new IPAddress(bytes), bits);
    }

    /// <summary>A complete address without a port: the runtime would read "10.1" as 10.0.0.1 and "010.0.0.1" as 8.0.0.1.</summary>
    private static IPAddress? Address(string value) =>
        IPAddress.TryParse(value, out IPAddress? host) && (host.AddressFamily == AddressFamily.InterNetwork ? host.ToString() == value : value[0] != '[')
            ? host : null;

    private static PortRange? Ports(string value)
    {
        int at = value.IndexOf('-', StringComparison.Ordinal);
        return Port(at < 0 ? value : value[..at]) is { } first && Port(at < 0 ? value : value[(at + 1)..]) is { } last && first <= last
            ? new PortRange(first, last) : null;
    }

    private static int? Port(string value) =>
        int.TryParse(value, NumberStyles.None, CultureInfo.InvariantCulture, out int port) && port is > 0 and <= 65535 ? port : null;

    /// <summary>A time with its date, year first: the runtime would take a time alone as a time of today.</summary>
    private static DateTimeOffset? Time(string value) =>
        value.Length >= "2026-11-20".Length && value[4] == '-' && value[7] == '-'
            && DateTimeOffset.TryParse(value, CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal, out DateTimeOffset time) ? time : null;
}
