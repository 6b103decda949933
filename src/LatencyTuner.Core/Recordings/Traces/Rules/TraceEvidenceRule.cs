using LatencyTuner.Core.Etw;
using LatencyTuner.Core.Findings;

namespace LatencyTuner.Core.Recordings.Traces.Rules;

/// <summary>
/// What the trace cannot tell (LT301): events that a cause needs and the trace does not have, with the profile that gives them; events lost; damage.
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
            gaps.Add($"{evidence.Path} has no connection that an event gives to process {string.Join(" or ", evidence.Chosen)}");
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
        noProcess ? "Choose a process that \"TCP by process\" lists without --pid."
        : complete ? "Capture again with larger buffers."
        : "Capture again with the profile Detail, which has these events: latencytuner profiles Detail says how, with what Windows ships.";

    private static IEnumerable<string> Missing(TraceAnalyser a)
    {
        if (!a.Has(1159) || !OfHandovers.Any(a.Has) || !OfAcknowledgements.Any(a.Has))
        {
            yield return "Nagle's algorithm (LT101, LT102) and windows send by send (LT111, LT113) need Microsoft-Windows-TCPIP 1159, 1332 and 1330, "
                + "which the trace lacks; profile Detail has them";
        }

        if (!a.Has(1066) && !a.Has(1064))
        {
            yield return "no timer event (1064 to 1066) of Microsoft-Windows-TCPIP: either no delayed-ACK timer expired (LT103), or they were not "
                + "captured; profiles Latency and Detail have them";
        }

        if (!a.Has(1157) && !a.HasAfd)
        {
            yield return "late reads of the application (LT141, LT142) need 1157 and 1158, or Winsock-AFD 3003 and 1004, which the trace lacks; profile "
                + "Detail has them";
        }

        if (!a.HasAfd)
        {
            yield return "time in send calls (LT114) needs Winsock-AFD 1003, which the trace lacks; profile Detail has it";
        }

        if (!a.HasKernel && !OfRetransmissions.Any(a.Has))
        {
            yield return "retransmissions (LT121, LT122) need 1077, 1187 and 1351, or the totals of 1352 and 1477, which the trace lacks; profiles "
                + "Latency and Detail have them";
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
            yield return $"{evidence.Path}: of {ownerless} connections no event tells the process, so they are left out";
        }

        if (counts.EventsLost > 0 || counts.BuffersLost > 0)
        {
            yield return $"{evidence.Path}: the session lost {counts.EventsLost} events and {counts.BuffersLost} buffers";
        }

        if (counts.IsUnfinished)
        {
            yield return $"{evidence.Path}: the session had not ended when the file was copied; what came after is missing";
        }

        foreach (EtlDamage damage in counts.Located.Where(d => d.Kind != EtlDamageKind.Message).Take(5))
        {
            yield return $"{evidence.Path}: at byte {damage.Offset} {damage.Detail}";
        }

        if (evidence.Decoded.Undecoded > 0)
        {
            yield return $"{evidence.Path}: {evidence.Decoded.Undecoded} events about TCP did not fit their layout and were not used "
                + $"({string.Join(", ", evidence.Decoded.UndecodedByName.Take(3).Select(u => u.Key))})";
        }

        if (evidence.Analyser.Unassigned > 0)
        {
            yield return $"{evidence.Path}: {evidence.Analyser.Unassigned} events name no connection";
        }
    }
}
