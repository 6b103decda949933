using LatencyTuner.Core.Analysis.Captures;
using LatencyTuner.Core.Analysis.Traces;
using LatencyTuner.Core.Reporting.Model;

namespace LatencyTuner.Core.Reporting.Building;

/// <summary>Connections and processes of traces.</summary>
internal static class AnalysedTraces
{
    /// <summary>Adds what events tell to the connections whose packets were seen, and the connections that only events tell of.</summary>
    internal static AnalysedConnection[] Join(AnalysedConnection[] captured, CaptureResult result, int most)
    {
        Dictionary<string, AnalysedConnection> byId = [];
        foreach (AnalysedConnection c in captured)
        {
            byId.TryAdd(c.Id, c);
        }

        List<AnalysedConnection> all = [.. captured.Where(c => !ReferenceEquals(byId[c.Id], c))];
        List<string> order = [.. byId.Keys];
        foreach (TraceConnection t in result.Traces.SelectMany(t => t.Connections).Where(t => t.Local.IsKnown))
        {
            if (byId.TryGetValue(t.Name, out AnalysedConnection? known) && known.Ends.Count < 2 && (known.Ends.Count == 0 || known.Ends[0].Side != t.Side))
            {
                long packets = known.Ends.Count > 0 && known.Packets < t.Sends + t.Receives ? t.Sends + t.Receives : known.Packets;
                byId[t.Name] = known with { Ends = [.. known.Ends, EndOf(t)], Packets = packets, StallMs = Math.Max(known.StallMs, Stalls(t)) };
            }
            else if (known is null)
            {
                byId[t.Name] = Of(t);
                order.Add(t.Name);
            }
            else
            {
                all.Add(Of(t));
            }
        }

        return [.. order.Select(id => byId[id]).Concat(all).OrderByDescending(c => c.StallMs).ThenByDescending(c => c.Bytes).Take(most)];
    }

    internal static AnalysedProcess[] Processes(CaptureResult result) =>
    [
        .. result.Traces.SelectMany(t => t.Processes).Where(p => p.Connections + p.Sends + p.Receives + p.Failures > 0)
            .OrderByDescending(p => p.BytesSent + p.BytesReceived).ThenBy(p => p.Id).Select(p => new AnalysedProcess
            {
                ProcessId = p.Id,
                Process = p.Name,
                Connections = p.Connections,
                Connects = p.Connects,
                Accepts = p.Accepts,
                Disconnects = p.Disconnects,
                Sends = p.Sends,
                BytesSent = p.BytesSent,
                Receives = p.Receives,
                BytesReceived = p.BytesReceived,
                Retransmissions = p.Retransmissions,
                Failures = p.Failures,
            }),
    ];

    private static double Stalls(TraceConnection t) =>
        AnalysisReports.Ms(t.LateHolds.Concat(t.PlainHolds).Sum(h => h.CostNs) + t.Sender.ReceiverLimitedNs + t.Sender.CongestionLimitedNs + t.RetransmitNs);

    private static AnalysedConnection Of(TraceConnection t)
    {
        (Evidence.TcpEndpoint client, Evidence.TcpEndpoint server) = t.IsClient ? (t.Local, t.Remote) : (t.Remote, t.Local);
        return new AnalysedConnection
        {
            Id = t.Name,
            Client = new AnalysedEndpoint { Address = client.Address.ToString(), Port = client.Port },
            Server = new AnalysedEndpoint { Address = server.Address.ToString(), Port = server.Port },
            RolesGuessed = t.RoleGuessed,
            StartUtc = AnalysisReports.Utc(t.FirstNs),
            DurationMs = AnalysisReports.Ms(t.LastNs - t.FirstNs),
            Packets = t.Sends + t.Receives,
            Bytes = t.LocalSent + t.LocalReceived,
            Transactions = 0,
            Vantage = t.Twin is not null ? "local" : t.IsClient ? "client" : "server",
            BaseRttMs = t.Sender.BaseNs is { } rtt ? AnalysisReports.Ms(rtt) : null,
            ActiveMs = AnalysisReports.Ms(t.ActiveNs),
            StallMs = Stalls(t),
            Losses = Math.Max(t.KernelRetransmissions, t.RetransmitRounds) + t.SynRetransmissions,
            Ends = [EndOf(t)],
        };
    }

    private static ConnectionEnd EndOf(TraceConnection t) => new()
    {
        Side = t.Side,
        ProcessId = t.ProcessId,
        Process = t.ProcessName,
        Sends = t.Sends,
        BytesSent = t.LocalSent,
        Receives = t.Receives,
        BytesReceived = t.LocalReceived,
        Retransmissions = Math.Max(t.KernelRetransmissions, Math.Max(t.RetransmitRounds, t.Retransmissions)),
        NagleHolds = t.LateHolds.Count + t.PlainHolds.Count,
        NagleHoldMs = AnalysisReports.Ms(t.LateHolds.Concat(t.PlainHolds).Sum(h => h.CostNs)),
        DelayedAckExpiries = t.Receiver.Fired,
        DelayedAckTimerMs = t.Receiver.ArmedMs,
        DelayedAckTicks = t.DelayedAckTicks,
        DelayedAckFrequency = t.DelayedAckFrequency,
        ReceiveWindowMs = AnalysisReports.Ms(t.Sender.ReceiverLimitedNs),
        CongestionWindowMs = AnalysisReports.Ms(t.Sender.CongestionLimitedNs),
        ConnectMs = t.ConnectNs is { } connect ? AnalysisReports.Ms(connect) : null,
        Verified = t.Verified,
    };
}
