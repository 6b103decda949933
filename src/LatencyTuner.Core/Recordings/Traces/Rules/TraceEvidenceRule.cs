using LatencyTuner.Core.Etw;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Recordings.Traces.Rules;

/// <summary>
/// What the trace does not show (LT301): events that a cause needs and the trace does not have, with the profile that has them; lost events; damage.
/// </summary>
internal static class TraceEvidenceRule
{
    private static readonly int[] OfHandovers = [1332, 1333, 1073];
    private static readonly int[] OfAcknowledgements = [1330, 1331, 1429, 1071];
    private static readonly int[] OfRetransmissions = [1077, 1187, 1351, 1352, 1477, 1066, 1159];

    internal static IEnumerable<Finding> Evaluate(TraceEvidence evidence)
    {
        TraceAnalyser a = evidence.Analyser;
        bool any = a.HasTcpip || a.HasKernel || a.HasAfd;
        List<string> gaps = [.. Losses(evidence)];
        if (!any && !evidence.HasPackets)
        {
            gaps.Add($"{evidence.Path} has no event of Microsoft-Windows-TCPIP, Winsock-AFD, Kernel-Network or the kernel's TcpIp, and no packets");
        }

        bool none = evidence.Chosen.Count > 0 && evidence.Connections.Count == 0;
        if (none)
        {
            gaps.Add($"{evidence.Path}: no connection of process {string.Join(" or ", evidence.Chosen)} was found");
        }

        string[] missing = any ? [.. Missing(a)] : [];
        gaps.AddRange(missing);

        if (gaps.Count == 0)
        {
            yield break;
        }

        yield return new Finding
        {
            Cause = Cause.EvidenceIncomplete,
            Confidence = Confidence.Confirmed,
            Severity = !none && (any || evidence.HasPackets) ? Severity.Warning : Severity.Error,
            Count = gaps.Count,
            For = gaps,
            Against = [],
            Recommendation = Advice(none, any && missing.Length == 0),
        };
    }

    private static string Advice(bool noProcess, bool complete) =>
        noProcess ? "Run the same command without --pid, and choose a process from the section \"TCP by process\"."
        : complete ? "Capture again with larger buffers."
        : "Capture again with the profile Detail, which has these events. latencytuner profiles Detail shows the commands for the tools of Windows.";

    private static IEnumerable<string> Missing(TraceAnalyser a)
    {
        if (!a.Has(1159) || !OfHandovers.Any(a.Has) || !OfAcknowledgements.Any(a.Has))
        {
            yield return "Nagle's algorithm (LT101, LT102) and the windows of single sends (LT111, LT113) need TCPIP events 1159, 1332 and 1330. The trace "
                + "does not have them; the profile Detail does";
        }

        if (!a.Has(1066) && !a.Has(1064))
        {
            yield return "the trace has no timer events [TCPIP events 1064 to 1066]: no delayed-ACK timer expired (LT103), or the events were not captured. "
                + "The profiles Latency and Detail have them";
        }

        if (!a.Has(1156) && !a.Has(1157) && !a.HasAfd)
        {
            yield return "late reads of the application (LT141, LT142) need TCPIP events 1156 to 1158, or Winsock-AFD events 3003 and 1004. The trace does "
                + "not have them; the profile Detail does";
        }

        if (!a.HasAfd)
        {
            yield return "time in send calls (LT114) needs Winsock-AFD event 1003. The trace does not have it; the profile Detail does";
        }

        if (!a.HasKernel && !OfRetransmissions.Any(a.Has))
        {
            yield return "retransmissions (LT121, LT122) need TCPIP events 1077, 1187 and 1351, or the totals of 1352 and 1477. The trace does not have "
                + "them; the profiles Latency and Detail do";
        }
    }

    private static IEnumerable<string> Losses(TraceEvidence evidence)
    {
        EtlCounts counts = evidence.Counts;
        if (evidence.Cancelled)
        {
            yield return "reading was cancelled";
        }

        if (evidence.EndedEarly is { } why)
        {
            yield return why;
        }

        if (evidence.Chosen.Count > 0 && evidence.Analyser.Connections.Count(c => c.ProcessId is null) is > 0 and var ownerless)
        {
            yield return $"{evidence.Path}: connections left out because no event names their process: {ownerless}";
        }

        if (counts.EventsLost > 0 || counts.BuffersLost > 0)
        {
            yield return $"{evidence.Path}: the session lost {Counted.Of(counts.EventsLost, "event")} and {Counted.Of(counts.BuffersLost, "buffer")}";
        }

        if (counts.IsUnfinished)
        {
            yield return $"{evidence.Path}: the file is incomplete. The trace session had not ended when it was copied, or it was cut off; later events are "
                + "missing";
        }

        foreach (EtlDamage damage in counts.Located.Where(d => d.Kind != EtlDamageKind.Message).Take(5))
        {
            yield return $"{evidence.Path}: at byte {damage.Offset} {damage.Detail}";
        }

        if (evidence.Decoded.Undecoded > 0)
        {
            yield return $"{evidence.Path}: {Counted.Of(evidence.Decoded.Undecoded, "event")} about TCP could not be used: unknown layout, or a newer "
                + $"one than is known ({string.Join(", ", evidence.Decoded.UndecodedByName.Take(3).Select(u => u.Key))})";
        }

        if (evidence.Analyser.Unassigned > 0)
        {
            yield return $"{evidence.Path}: {Counted.Of(evidence.Analyser.Unassigned, "event")} without a connection";
        }
    }
}
