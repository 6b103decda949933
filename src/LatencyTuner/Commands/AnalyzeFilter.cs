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
                "host" when IPAddress.TryParse(value, out IPAddress? host) => filter with { Hosts = [.. filter.Hosts, host] },
                "port" when int.TryParse(value, NumberStyles.None, CultureInfo.InvariantCulture, out int port) && port is > 0 and <= 65535 => filter with { Ports = [.. filter.Ports, port] },
                "after" when Time(value) is { } time => filter with { After = time },
                "before" when Time(value) is { } time => filter with { Before = time },
                _ => throw new ExpectedFailureException(ExitCode.Usage, $"--filter '{text}' is not valid: host=ADDRESS, port=1 to 65535, after=TIME or before=TIME is expected, such as host=10.0.0.5 or after=2026-11-20T17:40:00Z."),
            };
        }

        return filter;
    }

    private static DateTimeOffset? Time(string value) =>
        DateTimeOffset.TryParse(value, CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal, out DateTimeOffset time) ? time : null;
}
