using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Recordings.Captures;
using LatencyTuner.Core.Recordings.Traces;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Analysis.Recordings;

/// <summary>The verdict on captures and traces.</summary>
internal static class RecordingOutcome
{
    private const string OnlyPossible = "This cause is only possible.";

    private const string Unverified = " Not verified: the events' meaning rests on their manifest.";

    private static readonly int[] TellingEvents = [1159, 1066, 1352, 1477];

    /// <summary>From this share of the active time on, a cause that is no fault is named.</summary>
    private const double MostShare = 0.5;

    /// <summary>Draws the verdict: word, sentence and exit code follow from one leading finding.</summary>
    /// <param name="text">The sentence of <see cref="Sentence"/>.</param>
    /// <param name="findings">What was found, the worst first.</param>
    /// <param name="lostMs">Time that the listed connections lost to stalls, milliseconds.</param>
    /// <param name="trafficOnly">True when there is nothing but events that say which process sent how much.</param>
    /// <param name="gate">What the user lets pass.</param>
    internal static Verdict Judge(string text, IReadOnlyList<Finding> findings, double lostMs, bool trafficOnly, Gate gate)
    {
        // What fails the gate is told, whatever else the evidence cannot tell.
        bool cannotTell = gate.Failing(findings).Count == 0 && findings.Any(f => f is { Cause: Cause.EvidenceIncomplete, Severity: Severity.Error });
        Finding? lead = Leading(findings, gate);
        (string word, Tone tone) = cannotTell ? ("CANNOT TELL", Tone.Unsure)
            : lead is not null ? (FindingWords.Of(lead.Cause).ToUpperInvariant(), ToneOf(lead))
            : trafficOnly ? ("TRAFFIC ONLY", Tone.Unsure)
            : (lostMs >= SeverityBounds.WarningMs ? "NO COSTLY STALL" : "NO STALL", Tone.Good);
        // Only a gate that no severity passes makes such a finding the headline; the sentence was written without that gate.
        bool told = cannotTell || lead is not { Severity: Severity.Info } || text.StartsWith(Named(lead), StringComparison.Ordinal);
        return new()
        {
            Word = word,
            Text = told ? text : $"{Named(lead!)} {text}",
            Result = cannotTell || (lead is null && trafficOnly) ? VerdictKind.CannotTell : lead is null ? VerdictKind.NoStall : VerdictKind.Stall,
            Tone = tone,
            ExitCode = gate.Judge(findings, cannotTell),
            NextSteps = trafficOnly
                ? [new() { Command = "profiles Detail", Note = "how to record the events that show stalls" }]
                : lead is not null ? NextStep.Recommend("analysis.json") : [],
        };
    }

    /// <summary>The finding that the headline names; null when there is none. What is missing from the evidence is no headline beside a verdict.</summary>
    /// <param name="findings">What was found.</param>
    /// <param name="gate">What the user lets pass.</param>
    internal static Finding? Leading(IReadOnlyList<Finding> findings, Gate gate) =>
        gate.Leading([.. findings.Where(f => f.Cause != Cause.EvidenceIncomplete)]);

    private static Tone ToneOf(Finding lead) => lead.Severity switch { Severity.Error => Tone.Bad, Severity.Warning => Tone.Unsure, _ => Tone.Neutral };

    /// <summary>True when there are traces alone, and none with events of single sends and acknowledgements.</summary>
    /// <param name="result">What the recordings show.</param>
    internal static bool IsTrafficOnly(RecordingResult result) =>
        result.Traces.Count > 0 && result.Files.All(f => f.Events > 0 && f.Packets == 0) && !result.Traces.Any(t => SeesSends(t.Analyser));

    /// <summary>The answer in a sentence or two.</summary>
    /// <param name="result">What the recordings show.</param>
    /// <param name="connections">Their connections, each once.</param>
    internal static string Sentence(RecordingResult result, ConnectionFacts[] connections)
    {
        if (result.CannotTell)
        {
            return "No verdict is possible: " + string.Join("; ", result.Findings.First(f => f.Cause == Cause.EvidenceIncomplete).For) + "."
                + UnansweredConnections.Brief(connections);
        }

        if (Leading(result.Findings, Gate.Open) is { } lead)
        {
            string named = lead.Process is { } process && result.Traces.Count > 0 ? OfTrace(lead, process, result) : Named(lead);
            return lead.Confidence > Confidence.Possible ? named : $"{named} {OnlyPossible}{Most(result)}{UnansweredConnections.Brief(connections)}";
        }

        if (connections.Length == 0 && result.Traces.Count > 0)
        {
            return Quiet(result);
        }

        long stalls = connections.Sum(c => c.StallNs);
        long all = connections.LongLength + result.Evidence.Sum(e => e.NotKept);
        return $"No stall worth a warning on {Counted.Of(all, "connection")} ({Format.Ms(stalls / 1e6)} lost in all).{Most(result)}"
            + UnansweredConnections.Brief(connections);
    }

    /// <summary>Where most of the time goes, when no fault of TCP takes it; a sentence with a space before it, or empty.</summary>
    private static string Most(RecordingResult result) =>
        result.Findings.FirstOrDefault(
            f => f.Confidence >= Confidence.Likely && f.CostShare is null or >= MostShare
                && f.Cause is Cause.ServerThink or Cause.ClientThink or Cause.NetworkRtt) is { } explains
            ? $" Most of the time goes to: {FindingWords.Of(explains.Cause)}." : "";

    /// <summary>A finding and its cost in a sentence.</summary>
    private static string Named(Finding finding)
    {
        string where = finding.Host is null ? finding.Side == Side.Network ? "on the path" : FindingWords.Of(finding.Cause)
            : $"at the {FindingWords.Of(finding.Side)} {finding.Host}";
        if (finding.CostMs is not { } ms)
        {
            return Format.Sentence($"{where}.");
        }

        string share = finding.CostShare is { } part ? $", {Format.Share(part)} of the {FindingWords.TimeOf(finding.Cause)}" : "";
        return Format.Sentence($"{where}: {Format.Ms(ms)} lost{Over(finding.Connections.Count)}{share}, {Counted.Of(finding.Count, finding.CountOf)}.");
    }

    /// <summary>Times that several connections lost at once are added up; the sum may exceed the length of the capture.</summary>
    private static string Over(int connections) => connections switch
    {
        < 2 => "",
        >= ConnectionNames.Most => $" on {ConnectionNames.Most} connections or more",
        _ => $" on {Counted.Of(connections, "connection")}",
    };

    private static string OfTrace(Finding worst, string process, RecordingResult result)
    {
        string cost = worst.CostMs is { } ms ? $"{Format.Ms(ms)} lost{(worst.CostShare is { } share ? $" ({Format.Share(share)} of the active time)" : "")}"
            : "";
        string verified = worst.Verified ? "" : Unverified;
        if (worst.Cause is not (Cause.NagleDelayedAck or Cause.NagleHold))
        {
            return $"{Format.Sentence(process)}, at the {FindingWords.Of(worst.Side)}: "
                + $"{Counted.Of(worst.Count, worst.CountOf)}{(cost.Length > 0 ? ", " : "")}{cost}.{verified}";
        }

        // The process, how often, and the cost per request come first.
        string answer = worst.Confidence > Confidence.Possible ? "Yes" : "Perhaps";
        IEnumerable<TraceConnection> held = result.Traces.SelectMany(t => t.Connections)
            .Where(c => c.Process == worst.Process && c.Side == worst.Side && c.LateHolds.Count + c.PlainHolds.Count > 0);
        return TraceResponses.Of(held) is { } r
            ? $"{answer}: {process}, {Format.Count(r.Held)} of {Counted.Of(r.Count, "request")}, p99 {Format.Ms(r.P99Ms)} instead of "
                + $"{Format.Ms(r.P99WithoutMs)}. The {FindingWords.Of(worst.Side)} sends in pieces with Nagle on; {cost}.{verified}"
            : $"{answer}: {process}, {Counted.Of(worst.Count, "hold")}. The {FindingWords.Of(worst.Side)} sends in pieces with Nagle on; {cost}.{verified}";
    }

    private static string Quiet(RecordingResult result)
    {
        long connections = result.Traces.Sum(t => (long)t.Connections.Count);
        return result.Traces.Any(t => SeesSends(t.Analyser))
            ? $"No stall worth a warning on {Counted.Of(connections, "connection")} in the events of this "
                + $"trace.{(result.Traces.Any(t => t.Connections.Any(c => !c.Verified)) ? Unverified : "")}"
            : $"This trace shows which process sent and received how much ({Counted.Of(connections, "connection")}). It can show no cause of a stall "
                + "except retransmissions: it has no events of single sends and acknowledgements.";
    }

    internal static bool SeesSends(TraceAnalyser analyser) => TellingEvents.Any(analyser.Has);

    /// <summary>True for an event of Microsoft-Windows-TCPIP that reports single sends and acknowledgements.</summary>
    /// <param name="id">Its id; null for a classic event.</param>
    internal static bool TellsSends(int? id) => id is { } number && TellingEvents.Contains(number);
}
