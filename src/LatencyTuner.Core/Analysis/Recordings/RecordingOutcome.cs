using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Recordings.Captures;
using LatencyTuner.Core.Recordings.Traces;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Analysis.Recordings;

/// <summary>The verdict on captures and traces.</summary>
internal static class RecordingOutcome
{
    private const string Unverified = " Not verified: the events' meaning rests on their manifest.";

    private static readonly int[] TellingEvents = [1159, 1066, 1352, 1477];

    /// <summary>From this share of the active time on, a cause that is no fault is named.</summary>
    private const double MostShare = 0.5;

    /// <summary>Draws the verdict.</summary>
    /// <param name="text">The sentence of <see cref="Sentence"/>.</param>
    /// <param name="findings">What was found, the worst first.</param>
    /// <param name="trafficOnly">True when there is nothing but events that say which process sent how much.</param>
    /// <param name="gate">What the user lets pass.</param>
    internal static Verdict Judge(string text, IReadOnlyList<Finding> findings, bool trafficOnly, Gate gate)
    {
        bool cannotTell = findings.Any(f => f is { Cause: Cause.EvidenceIncomplete, Severity: Severity.Error });
        ExitCode code = gate.Judge(findings, cannotTell);
        Finding? worst =
            findings.FirstOrDefault(f => f.Confidence >= Confidence.Likely && f.Severity >= Severity.Warning && f.Cause != Cause.EvidenceIncomplete);
        (string word, Tone tone) = cannotTell ? ("CANNOT TELL", Tone.Unsure)
            : worst is not null ? (FindingWords.Of(worst.Cause).ToUpperInvariant(), worst.Severity == Severity.Error ? Tone.Bad : Tone.Unsure)
            : trafficOnly ? ("TRAFFIC ONLY", Tone.Unsure)
            : ("NO STALL", findings.Any(f => f is { Confidence: Confidence.Possible, Severity: >= Severity.Warning }) ? Tone.Unsure : Tone.Good);
        return new() { Word = word, Text = text, Tone = tone, ExitCode = code };
    }

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

        Finding? worst =
            result.Findings.FirstOrDefault(f => f.Confidence >= Confidence.Likely && f.Severity >= Severity.Warning && f.Cause != Cause.EvidenceIncomplete);
        if (worst is not null)
        {
            if (worst.Process is { } process && result.Traces.Count > 0)
            {
                return OfTrace(worst, process, result);
            }

            string where = worst.Host is null ? worst.Side == Side.Network ? "on the path" : FindingWords.Of(worst.Cause)
                : $"at the {FindingWords.Of(worst.Side)} {worst.Host}";
            if (worst.CostMs is not { } ms)
            {
                return Format.Sentence($"{where}.");
            }

            string share = worst.CostShare is { } part ? $", {Format.Share(part)} of the active time" : "";
            return Format.Sentence($"{where}: {Format.Ms(ms)} lost{Over(worst.Connections.Count)}{share}, {Counted.Of(worst.Count, worst.CountOf)}.");
        }

        if (connections.Length == 0 && result.Traces.Count > 0)
        {
            return Quiet(result);
        }

        long stalls = connections.Sum(c => c.StallNs);
        Finding? explains =
            result.Findings.FirstOrDefault(
                f => f.Confidence >= Confidence.Likely && f.CostShare is null or >= MostShare
                    && f.Cause is Cause.ServerThink or Cause.ClientThink or Cause.NetworkRtt);
        long all = connections.LongLength + result.Evidence.Sum(e => e.NotKept);
        string on = $"on {Counted.Of(all, "connection")} ({Format.Ms(stalls / 1e6)} lost in all)";
        Finding? possible = result.Findings.FirstOrDefault(f => f is { Confidence: Confidence.Possible, Severity: >= Severity.Warning });
        return (possible is null ? $"No stall worth a warning {on}." : $"No stall is likely {on}. A possible cause: {FindingWords.Of(possible.Cause)}.")
            + (explains is null ? "" : $" Most of the time goes to: {FindingWords.Of(explains.Cause)}.") + UnansweredConnections.Brief(connections);
    }

    /// <summary>Times that several connections lost at once are added up; the sum may exceed the length of the capture.</summary>
    private static string Over(int connections) => connections switch
    {
        < 2 => "",
        >= ConnectionNames.Most => $" on {ConnectionNames.Most} connections or more",
        _ => $" on {connections} connections",
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
        IEnumerable<TraceConnection> held = result.Traces.SelectMany(t => t.Connections)
            .Where(c => c.Process == worst.Process && c.Side == worst.Side && c.LateHolds.Count + c.PlainHolds.Count > 0);
        return TraceResponses.Of(held) is { } r
            ? $"Yes: {process}, {Format.Count(r.Held)} of {Format.Count(r.Count)} requests, p99 {Format.Ms(r.P99Ms)} instead of "
                + $"{Format.Ms(r.P99WithoutMs)}. The {FindingWords.Of(worst.Side)} sends in pieces with Nagle on; {cost}.{verified}"
            : $"Yes: {process}, {Counted.Of(worst.Count, "hold")}. The {FindingWords.Of(worst.Side)} sends in pieces with Nagle on; {cost}.{verified}";
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
