using System.Globalization;
using LatencyTuner.Core.Etw.Sessions;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Recordings.Traces;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Reporting.Analysis;

/// <summary>What a live trace has found so far, as lines for a terminal or a log.</summary>
public static class LiveTraceText
{
    private const int MostRows = 15;
    private const int Fixed = 66;

    /// <summary>The table that is drawn again every second.</summary>
    /// <param name="found">What was found so far.</param>
    /// <param name="losses">What the session lost.</param>
    /// <param name="now">The time of day.</param>
    /// <param name="elapsed">Time since the start of the trace.</param>
    /// <param name="duration">Planned duration of the trace.</param>
    /// <param name="eventsPerSecond">Events per second in the recent past.</param>
    /// <param name="width">Columns of the terminal.</param>
    public static IReadOnlyList<string> Table(
        LiveFindings found, SessionLosses losses, DateTimeOffset now, TimeSpan elapsed, TimeSpan duration, double eventsPerSecond, int width)
    {
        ArgumentNullException.ThrowIfNull(found);
        int name = Math.Max(width - Fixed - 1, 12);
        Finding[] causes = [.. found.Findings.Where(f => f.Cause != Cause.EvidenceIncomplete)];
        List<string> lines = [Row(name, "", "process", "side", "cause", "count", "lost", "of time")];
        lines.AddRange(causes.Take(MostRows).Select(f => Row(
            name, f.Severity switch { Severity.Error => f.Id + " error", Severity.Warning => f.Id + " warn", _ => f.Id },
            f.Process ?? f.Host ?? Format.Unknown, f.Side is { } side ? FindingWords.Of(side) : Format.Unknown,
            FindingWords.Of(f.Cause), Format.Count(f.Count), Format.Ms(f.CostMs), f.CostShare is { } share ? Format.Share(share) : Format.Unknown)));
        if (causes.Length == 0)
        {
            lines.Add("  no finding yet");
        }
        else if (causes.Length > MostRows)
        {
            lines.Add($"  and {causes.Length - MostRows} more causes that cost less");
        }

        lines.Add(
            $"{elapsed.TotalSeconds:0} of {duration.TotalSeconds:0} s, {Counted.Of(found.Events, "event")} ({eventsPerSecond:N0}/s), "
            + $"{Counted.Of(found.Connections, "connection")}; "
            + $"{(losses.Any ? $"LOST {Counted.Of(losses.Events, "event")}, {Counted.Of(losses.Buffers, "buffer")}" : "nothing lost")}.");
        lines.Add($"{now.UtcDateTime:yyyy-MM-dd HH:mm:ss} UTC. Ctrl-C ends with a report.");
        return lines;
    }

    /// <summary>A line for a finding that is new or became worse.</summary>
    /// <param name="finding">The finding.</param>
    /// <param name="now">The time of day.</param>
    public static string Line(Finding finding, DateTimeOffset now)
    {
        ArgumentNullException.ThrowIfNull(finding);
        string cost = finding.CostMs is { } ms
            ? $", {Format.Ms(ms)} lost{(finding.CostShare is { } share ? $" ({Format.Share(share)} of the active time)" : "")}" : "";
        return $"{Time(now)} {finding.Id} {finding.Severity.ToString().ToLowerInvariant()}: {finding.Process ?? finding.Host ?? "a host"}, "
            + $"{FindingWords.Of(finding.Cause)}{(finding.Side is { } side ? $" at the {FindingWords.Of(side)}" : "")}, "
            + $"{Counted.Of(finding.Count, finding.CountOf)}{cost}.";
    }

    /// <summary>A line for lost events and buffers.</summary>
    /// <param name="losses">What the session lost.</param>
    /// <param name="now">The time of day.</param>
    public static string Lost(SessionLosses losses, DateTimeOffset now) =>
        $"{Time(now)} The session lost {Counted.Of(losses.Events, "event")} and {Counted.Of(losses.Buffers, "buffer")} so far.";

    private static string Time(DateTimeOffset now) => now.UtcDateTime.ToString("HH:mm:ss 'UTC'", CultureInfo.InvariantCulture);

    private static string Row(int name, string id, string process, string side, string cause, string count, string cost, string share) =>
        $"{id,-12}{Cut(process, name).PadRight(name)} {side,-8}{Cut(cause, 19),-20}{count,7}{cost,10}{share,8}";

    private static string Cut(string text, int most)
    {
        // A process name comes from the trace: it must not move the cursor.
        string clean = string.Concat(text.Select(c => char.IsControl(c) ? ' ' : c));
        return clean.Length <= most ? clean : clean[..(most - 3)] + "...";
    }
}
