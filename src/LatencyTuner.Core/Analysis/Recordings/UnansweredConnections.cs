using LatencyTuner.Core.Recordings.Captures;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Analysis.Recordings;

/// <summary>Requests without an answer and connections that never opened: they have no duration and are in no table.</summary>
internal static class UnansweredConnections
{
    // The last message of a client may need no answer; then the client does not wait this long.
    private const long LeastNs = 1_000_000_000;

    /// <summary>For a verdict without a worse finding; empty, or one or two sentences with a space before them.</summary>
    public static string Brief(ConnectionFacts[] connections)
    {
        ConnectionFacts[] waiting = Waiting(connections);
        long silent = Silent(connections).LongLength, refused = Refused(connections).LongLength;
        return (waiting.Length == 0 ? "" : $" Not counted: on {Counted.Of(waiting.Length, "connection")} the last request was never answered.")
            + (silent + refused == 0 ? "" : $" {Counted.Of(silent + refused, "connection")} never opened.");
    }

    /// <summary>Notes on what was never answered, one or two sentences each.</summary>
    public static IEnumerable<string> Notes(ConnectionFacts[] connections)
    {
        ConnectionFacts[] waiting = Waiting(connections);
        if (waiting.Length > 0)
        {
            yield return $"On {Counted.Of(waiting.Length, "connection")} the last request was never answered. The longest wait until the last packet: "
                + $"{Format.Ms(waiting[0].UnansweredNs / 1e6)}, {ConnectionNames.Of(waiting[0])}.";
        }

        ConnectionFacts[] silent = Silent(connections);
        if (silent.Length > 0)
        {
            yield return $"{Counted.Of(silent.Length, "connection")} never opened: no answer to the SYN was captured. The longest attempt sent "
                + $"{Counted.Of(silent[0].SynRetransmissions + 1, "SYN")} in {Format.Ms(silent[0].SynRetryNs / 1e6)}, "
                + $"{ConnectionNames.Of(silent[0])}.";
        }

        long challenged = connections.Sum(c => (long)c.SynsChallenged);
        if (challenged > 0)
        {
            yield return $"{Counted.Were(challenged, "SYN")} answered with an ACK of an older connection on the same ports, and sent again. Nothing was lost.";
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
        [.. connections.Where(c => c.NeverOpened).OrderByDescending(c => c.SynRetryNs)];

    private static ConnectionFacts[] Refused(ConnectionFacts[] connections) =>
        [.. connections.Where(c => c is { Reset: true, OneSided: false, HandshakeSeen: false, RolesGuessed: false, Bytes: 0 })];
}
