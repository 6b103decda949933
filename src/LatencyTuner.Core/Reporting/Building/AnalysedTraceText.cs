using LatencyTuner.Core.Analysis;
using LatencyTuner.Core.Analysis.Captures;
using LatencyTuner.Core.Analysis.Traces;
using LatencyTuner.Core.Reporting.Documents;

namespace LatencyTuner.Core.Reporting.Building;

/// <summary>The answer of a trace in a sentence.</summary>
internal static class AnalysedTraceText
{
    internal static string Of(Finding worst, string process)
    {
        string cost = worst.CostMs is { } ms ? $", {Format.Ms(ms)} lost{(worst.CostShare is { } share ? $" ({Format.Share(share)} of the active time)" : "")}" : "";
        string verified = worst.Verified ? "" : " Not verified: the events' meaning rests on their manifest.";
        return $"Yes: {process}, {Words.Of(worst.Cause)} at the {Words.Of(worst.Side)}, {Format.Count(worst.Count)} times{cost}.{verified}";
    }

    internal static string Quiet(CaptureResult result)
    {
        long connections = result.Traces.Sum(t => (long)t.Connections.Count);
        return result.Traces.Any(t => Seen(t.Analyser))
            ? $"No stall worth a warning on {Format.Count(connections)} connections by the events of this trace."
            : $"This trace tells which process sent and received what ({Format.Count(connections)} connections), and no cause of a stall but retransmission: it has no events of single sends and acknowledgements.";
    }

    internal static bool Seen(TraceAnalyser a) => a.Has(1159) || a.Has(1066) || a.Has(1352) || a.Has(1477);
}
