using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Recordings.Captures.Rules;

/// <summary>The evidence is incomplete (LT301): <c>warning</c>, or <c>error</c> when it allows no verdict.</summary>
internal static class CaptureEvidenceRule
{
    internal static IEnumerable<Finding> Evaluate(CaptureEvidence evidence)
    {
        bool usable = evidence.Connections.Any(c => !c.OneSided && c.Bytes > 0);
        List<string> gaps = [.. evidence.Gaps];
        if (evidence.Connections.Count == 0)
        {
            gaps.Add(
                evidence.FilteredOut > 0 ? $"no packet passed the filter; it left out {Counted.Of(evidence.FilteredOut, "TCP packet")}"
                    : "no TCP connection was found");
        }
        else if (!usable)
        {
            gaps.Add("no connection has data and shows both directions");
        }

        if (gaps.Count == 0)
        {
            yield break;
        }

        yield return new Finding
        {
            Cause = Cause.EvidenceIncomplete,
            Confidence = Confidence.Confirmed,
            Severity = usable ? Severity.Warning : Severity.Error,
            Count = gaps.Count,
            For = gaps,
            Against = [],
            Recommendation = "Capture again with both directions, all packets, the handshakes and microsecond timestamps. Whole frames are not needed.",
        };
    }
}
