using LatencyTuner.Core.Recordings.Captures;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Analysis.Recordings;

/// <summary>What never came has no duration and is in no table: answers, and connections.</summary>
internal static class UnansweredConnections
{
    // A client may well end with words that want no answer; then it does not stay.
    private const long LeastNs = 1_000_000_000;

    /// <summary>For a verdict that knows of nothing worse; empty, or a sentence with a space before it.</summary>
    public static string Brief(ConnectionFacts[] connections)
    {
        ConnectionFacts[] waiting = Waiting(connections);
        long silent = Silent(connections).LongLength, refused = Refused(connections).LongLength;
        return (waiting.Length == 0 ? "" : $" Not counted: on {Counted.Of(waiting.Length, "connection")} the last request was never answered.")
            + (silent + refused == 0 ? "" : $" {Counted.Of(silent + refused, "connection")} never came about.");
    }

    /// <summary>A sentence each.</summary>
    public static IEnumerable<string> Notes(ConnectionFacts[] connections)
    {
        ConnectionFacts[] waiting = Waiting(connections);
        if (waiting.Length > 0)
        {
            yield return $"On {Counted.Of(waiting.Length, "connection")} the last request was never answered; the longest wait until the last packet: "
                + $"{Format.Ms(waiting[0].UnansweredNs / 1e6)}, {ConnectionNames.Of(waiting[0])}.";
        }

        ConnectionFacts[] silent = Silent(connections);
        if (silent.Length > 0)
        {
            yield return $"{Counted.Of(silent.Length, "connection")} never came about: nobody answered the SYN; the most patient tried "
                + $"{Counted.Of(silent[0].SynRetransmissions + 1, "time")} in {Format.Ms(silent[0].SynRetryNs / 1e6)}, "
                + $"{ConnectionNames.Of(silent[0])}.";
        }

        ConnectionFacts[] refused = Refused(connections);
        if (refused.Length > 0)
        {
            yield return $"{Counted.Were(refused.Length, "connection")} refused with a reset; the first: {ConnectionNames.Of(refused[0])}.";
        }
    }

    private static ConnectionFacts[] Waiting(ConnectionFacts[] connections) =>
        [.. connections.Where(c => c.UnansweredNs >= LeastNs && !c.OneSided && !c.NotSeparable).OrderByDescending(c => c.UnansweredNs)];

    private static ConnectionFacts[] Silent(ConnectionFacts[] connections) =>
        [.. connections.Where(c => c.SynRetransmissions > 0 && c.OneSided && c.Bytes == 0).OrderByDescending(c => c.SynRetryNs)];

    private static ConnectionFacts[] Refused(ConnectionFacts[] connections) =>
        [.. connections.Where(c => c is { Reset: true, OneSided: false, HandshakeSeen: false, RolesGuessed: false, Bytes: 0 })];
}
