using System.Globalization;
using System.Text.RegularExpressions;

namespace LatencyTuner.Core.Etw.Sessions;

/// <summary>
/// Name of a session of this program. Windows keeps a session when the process that started it ends, so the name contains the process id and the
/// start time of that process. A process id alone is not enough, because Windows reuses ids.
/// </summary>
/// <param name="ProcessId">The process that started the session.</param>
/// <param name="StartedUtc">When that process started, kept to the millisecond.</param>
/// <param name="ToFile">True for the session that writes the file, false for the session that is read live.</param>
public sealed partial record SessionName(int ProcessId, DateTimeOffset StartedUtc, bool ToFile = false)
{
    private const string TimeForm = "yyyyMMdd'T'HHmmssfff'Z'";

    /// <summary>Reads a name.</summary>
    /// <param name="text">Name of any session.</param>
    /// <returns>Null when it is not a session of this program.</returns>
    public static SessionName? TryParse(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        return Form().Match(text) is { Success: true } match
            && int.TryParse(match.Groups[1].ValueSpan, NumberStyles.None, CultureInfo.InvariantCulture, out int processId)
            && DateTimeOffset.TryParseExact(
                match.Groups[2].ValueSpan, TimeForm, CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal | DateTimeStyles.AdjustToUniversal,
                out DateTimeOffset started)
                ? new SessionName(processId, started, match.Groups[3].Success)
                : null;
    }

    /// <summary>The session name that is passed to Windows.</summary>
    public override string ToString() =>
        $"LatencyTuner-{ProcessId}-{StartedUtc.UtcDateTime.ToString(TimeForm, CultureInfo.InvariantCulture)}{(ToFile ? "-file" : "")}";

    [GeneratedRegex(@"\ALatencyTuner-([0-9]{1,10})-([0-9]{8}T[0-9]{9}Z)(-file)?\z", RegexOptions.CultureInvariant)]
    private static partial Regex Form();
}
