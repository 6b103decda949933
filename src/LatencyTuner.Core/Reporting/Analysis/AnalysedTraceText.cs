using LatencyTuner.Core.Analysis.Recordings;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Recordings.Traces;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Reporting.Analysis;

/// <summary>The answer of a trace in a sentence.</summary>
internal static class AnalysedTraceText
{
    private const string Unverified = " Not verified: the events' meaning rests on their manifest.";

    /// <summary>What goes for every figure of events that no real trace has confirmed; null when there is none.</summary>
    internal static string? Note(RecordingResult result) => result.Traces.Any(t => t.Connections.Any(c => !c.Verified))
        ? "What the events of Microsoft-Windows-TCPIP and Winsock-AFD mean rests on their manifests alone: figures made of them are marked \"verified\": "
            + "false in JSON."
        : null;

    internal static string Of(Finding worst, string process, RecordingResult result)
    {
        string cost = worst.CostMs is { } ms ? $"{Format.Ms(ms)} lost{(worst.CostShare is { } share ? $" ({Format.Share(share)} of the active time)" : "")}"
            : "";
        string verified = worst.Verified ? "" : Unverified;
        if (worst.Cause is not (Cause.NagleDelayedAck or Cause.NagleHold))
        {
            return $"{Format.Sentence(process)}, at the {FindingWords.Of(worst.Side)}: {Format.Count(worst.Count)} "
                + $"times{(cost.Length > 0 ? ", " : "")}{cost}.{verified}";
        }

        // Who, how often, and what it costs a request come first.
        IEnumerable<TraceConnection> held = result.Traces.SelectMany(t => t.Connections)
            .Where(c => c.Process == worst.Process && c.Side == worst.Side && c.LateHolds.Count + c.PlainHolds.Count > 0);
        return TraceResponses.Of(held) is { } r
            ? $"Yes: {process}, {Format.Count(r.Held)} of {Format.Count(r.Count)} requests, p99 {Format.Ms(r.P99Ms)} instead of "
                + $"{Format.Ms(r.P99WithoutMs)}: the {FindingWords.Of(worst.Side)} sends in pieces with Nagle on; {cost}.{verified}"
            : $"Yes: {process}, {Format.Count(worst.Count)} times: the {FindingWords.Of(worst.Side)} sends in pieces with Nagle on; {cost}.{verified}";
    }

    internal static string Quiet(RecordingResult result)
    {
        long connections = result.Traces.Sum(t => (long)t.Connections.Count);
        return result.Traces.Any(t => Seen(t.Analyser))
            ? $"No stall worth a warning on {Format.Count(connections)} connections by the events of this "
                + $"trace.{(result.Traces.Any(t => t.Connections.Any(c => !c.Verified)) ? Unverified : "")}"
            : $"This trace tells which process sent and received what ({Format.Count(connections)} connections), and no cause of a stall but "
                + "retransmission: it has no events of single sends and acknowledgements.";
    }

    internal static bool Seen(TraceAnalyser a) => a.Has(1159) || a.Has(1066) || a.Has(1352) || a.Has(1477);
}
