using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Analysis.Sockets;

/// <summary>The judgement of a host's sockets: exposures are information and fail no gate.</summary>
internal static class SocketsOutcome
{
    /// <summary>The findings, the worst first.</summary>
    /// <param name="sockets">The sockets.</param>
    /// <param name="captured">Findings of a capture; empty without one.</param>
    /// <param name="limits">What makes a finding a warning or an error.</param>
    internal static IReadOnlyList<Finding> FindingsOf(IReadOnlyList<HostSocket> sockets, IReadOnlyList<Finding> captured, SeverityLimits limits) =>
    [
        .. ProcessSockets.Of(sockets).SelectMany(
            p => SocketNagleRule.Evaluate(p, captured, limits).Concat(SocketBufferRule.Evaluate(p, sockets, limits))).WorstFirst(),
    ];

    /// <summary>The findings that fail a gate.</summary>
    /// <param name="findings">All findings.</param>
    /// <param name="gate">What the user lets pass.</param>
    internal static IReadOnlyList<Finding> Failing(IReadOnlyList<Finding> findings, Gate gate) => gate.Failing(Gated(findings));

    /// <summary>Draws the verdict.</summary>
    /// <param name="sockets">The sockets.</param>
    /// <param name="unreadable">Processes that could not be read.</param>
    /// <param name="findings">What was found, the worst first.</param>
    /// <param name="gate">What the user lets pass.</param>
    internal static Verdict Judge(
        IReadOnlyList<HostSocket> sockets, IReadOnlyList<UnreadableProcess> unreadable, IReadOnlyList<Finding> findings, Gate gate)
    {
        IReadOnlyList<ProcessSockets> processes = ProcessSockets.Of(sockets);
        int connections = processes.Sum(p => p.Connections.Count);
        int on = processes.Sum(p => p.NagleOn);
        int known = on + processes.Sum(p => p.NagleOff);
        bool cannotTell = known == 0 && (connections > 0 || unreadable.Count > 0 || sockets.Count == 0);
        Finding? lead = gate.Leading(Gated(findings));
        (string word, Tone tone) = lead is not null ? (FindingWords.Of(lead.Cause).ToUpperInvariant(), lead.Severity == Severity.Info ? Tone.Neutral : Tone.Bad)
            : cannotTell ? ("CANNOT TELL", Tone.Unsure)
            : findings.Any(SocketNagleRule.IsExposure) ? ("NAGLE ON", Tone.Neutral)
            : ("NO EXPOSURE", Tone.Good);
        ExitCode code = gate.Judge(Gated(findings), cannotTell);
        return new()
        {
            Word = word,
            Text = lead is not null ? Leading(lead) : Text(processes, unreadable, findings, connections, on, known),
            Result = lead is { Severity: >= Severity.Warning } ? VerdictKind.Stall : cannotTell ? VerdictKind.CannotTell : VerdictKind.Done,
            Tone = tone,
            ExitCode = code,
            NextSteps = Next(unreadable, findings, connections),
        };
    }

    private static Finding[] Gated(IEnumerable<Finding> findings) => [.. findings.Where(f => !SocketNagleRule.IsExposure(f))];

    private static string Leading(Finding lead) => lead.CostMs is { } cost
        ? $"In {lead.Process ?? "a process"}: {Format.Ms(cost)} lost in {Counted.Of(lead.Count, lead.CountOf)}"
            + $"{(lead.CostShare is { } share ? $" ({Format.Share(share)} of the time with data outstanding)" : "")}."
            + (lead.Confidence == Confidence.Possible ? " The counters make this possible, not sure." : "")
        : $"{Format.Sentence(lead.For[0])}.";

    private static string Text(
        IReadOnlyList<ProcessSockets> processes, IReadOnlyList<UnreadableProcess> unreadable, IReadOnlyList<Finding> findings, int connections, int on,
        int known)
    {
        int listeners = processes.Sum(p => p.Listeners.Count);
        if (connections + listeners == 0)
        {
            return unreadable.Count > 0
                ? $"No TCP socket could be assigned to a process: {(unreadable.Count == 1 ? "1 process" : $"{unreadable.Count} processes")} could not be read."
                : "No TCP socket matches the options.";
        }

        if (connections == 0)
        {
            return $"{Counted.Of(listeners, "listener")} and no connection.";
        }

        if (known == 0)
        {
            return $"TCP_NODELAY of {Counted.Of(connections, "connection")} could not be read"
                + (unreadable.Count > 0 ? $": {unreadable[0].Why}." : ".");
        }

        Finding[] exposed = [.. findings.Where(SocketNagleRule.IsExposure)];
        string unknown = connections > known ? $" {Counted.Of(connections - known, "connection")} could not be read." : "";
        string read = $"Nagle's algorithm is on for {on} of {Counted.Of(known, "connection")}.";
        return exposed.Length == 0
            ? $"{read} None with Nagle on carries small requests and replies.{unknown}"
            : $"{read} {Counted.Of(exposed.Sum(f => f.Count), "connection")} of {Names(exposed)} "
                + $"{(exposed.Sum(f => f.Count) == 1 ? "carries" : "carry")} small requests and replies: information, not a stall.{unknown}";
    }

    private static string Names(Finding[] exposed) =>
        string.Join(", ", exposed.Take(3).Select(f => f.Process)) + (exposed.Length > 3 ? $" and {exposed.Length - 3} more" : "");

    private static List<NextStep> Next(IReadOnlyList<UnreadableProcess> unreadable, IReadOnlyList<Finding> findings, int connections)
    {
        List<NextStep> next = [];
        if (findings.Any(f => f.Cause is Cause.NagleDelayedAck or Cause.NagleHold))
        {
            next.AddRange(
                findings.Any(SocketNagleRule.IsMeasured)
                    ? [new() { Again = true, Options = ["--details"], Note = "what to change, and what speaks for and against it" }]
                : findings.Any(SocketNagleRule.IsExposure) && !findings.Any(f => f.CostMs is not null)
                    ? [new() { Command = "diagnose loopback", Note = "what writes in pieces would cost here" }]
                : NextStep.CaptureAndAnalyze(null));
        }
        else if (unreadable.Count > 0)
        {
            next.Add(new() { Note = "Run this command as root or elevated, to read processes of other users." });
        }

        if (next.Count == 0 && connections > 0)
        {
            next.Add(new() { Again = true, Options = ["--watch", "2s", "--for", "30s"], Without = "--watch", Note = "what changes in each interval" });
        }

        return next;
    }
}
