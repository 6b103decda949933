using System.Globalization;
using System.Net;
using LatencyTuner.Core;
using LatencyTuner.Core.Analysis.Captures;

namespace LatencyTuner.Commands;

/// <summary><c>--filter</c> of <c>analyze</c>.</summary>
internal static class AnalyzeFilter
{
    public static CaptureFilter Parse(IReadOnlyList<string> texts)
    {
        CaptureFilter filter = CaptureFilter.All;
        foreach (string text in texts)
        {
            int at = text.IndexOf('=', StringComparison.Ordinal);
            (string name, string value) = at < 0 ? (text, "") : (text[..at], text[(at + 1)..]);
            filter = name switch
            {
                "host" when Address(value) is { } host => filter with { Hosts = [.. filter.Hosts, host] },
                "port" when int.TryParse(value, NumberStyles.None, CultureInfo.InvariantCulture, out int port) && port is > 0 and <= 65535 => filter with { Ports = [.. filter.Ports, port] },
                "after" when Time(value) is { } time => filter with { After = time },
                "before" when Time(value) is { } time => filter with { Before = time },
                _ => throw new ExpectedFailureException(ExitCode.Usage, $"--filter '{text}' is not valid: host=ADDRESS, port=1 to 65535, after=TIME or before=TIME is expected, such as host=10.0.0.5 or after=2026-11-20T17:40:00Z."),
            };
        }

        return filter;
    }

    /// <summary>A whole address: "10.1" would stand for 10.0.0.1.</summary>
    private static IPAddress? Address(string value) =>
        IPAddress.TryParse(value, out IPAddress? host) && (value.Contains(':', StringComparison.Ordinal) || value.Count(c => c == '.') == 3) ? host : null;

    /// <summary>With its date, year first: a time alone would be one of today, which no capture is of.</summary>
    private static DateTimeOffset? Time(string value) =>
        value.Length >= "2026-11-20".Length && value[4] == '-' && value[7] == '-' && DateTimeOffset.TryParse(value, CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal, out DateTimeOffset time) ? time : null;
}
