using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Recordings.Captures.Rules;

/// <summary>The evidence is incomplete (LT301): <c>warning</c>, or <c>error</c> when it allows no verdict.</summary>
internal static class CaptureEvidenceRule
{
    // Without a request and its response, data of this many segments still shows how it flowed: an initial window (RFC 6928).
    private const long FewestSegments = 10;

    internal static IEnumerable<Finding> Evaluate(CaptureEvidence evidence)
    {
        bool bothWays = evidence.Connections.Any(c => !c.OneSided && c.Bytes > 0);
        bool usable = evidence.NotKept > 0 || evidence.Connections.Any(Shows);
        List<string> gaps = [.. evidence.Gaps];
        if (evidence.Connections.Count == 0)
        {
            gaps.Add(
                evidence.Hidden > 0 ? $"no connection passed the filter; it hides {Counted.Of(evidence.Hidden, "connection")}"
                    : "no TCP connection was found");
        }
        else if (!bothWays && !usable)
        {
            gaps.Add("no connection has data and shows both directions");
        }
        else if (!usable)
        {
            gaps.Add($"no connection has a request with its response, or {FewestSegments} segments with data");
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
            Recommendation = bothWays && !usable ? "Capture for longer, so that the capture has requests with their responses."
                : "Capture again with both directions, all packets, the handshakes and microsecond timestamps. Whole frames are not needed.",
        };
    }

    /// <summary>True when a connection has enough for a verdict: an exchange, a transfer, or a stall that was seen.</summary>
    private static bool Shows(ConnectionFacts c) =>
        !c.OneSided && c.Bytes > 0 && (c.TransactionCount > 0 || c.StallNs > 0 || c.Sides.Sum(s => s.DataSegments) >= FewestSegments);
}
