using LatencyTuner.Core.Analysis.Recordings;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Recordings.Captures;
using LatencyTuner.Core.Recordings.Traces;

namespace LatencyTuner.Core.Reporting.Analysis;

/// <summary>Connections and processes of traces.</summary>
internal static class AnalysedTraceBuilder
{
    private const int MostObserved = 100;

    /// <summary>Adds the figures of events to the connections whose packets were seen, and adds the connections that only events show.</summary>
    internal static AnalysedConnection[] Join(AnalysedConnection[] captured, RecordingResult result, int most)
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
                byId[t.Name] = known with { Ends = [.. known.Ends, EndOf(t)], Packets = packets, StallMs = Math.Max(known.StallMs, Stalls(t).Values.Sum()) };
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

    internal static AnalysedProcess[] Processes(RecordingResult result, IReadOnlyList<HostSocket> sockets) =>
    [
        .. result.Traces.SelectMany(t => t.Processes).Where(p => p.Owned.Count + p.Sends + p.Receives + p.Failures + p.Unjoined.Sends + p.Unjoined.Reads > 0)
            .OrderByDescending(p => p.BytesSent + p.BytesReceived).ThenBy(p => p.Id).ThenBy(p => p.Generation).Select(p => ProcessOf(p, sockets)),
    ];

    /// <summary>Figures by process, with their number of samples.</summary>
    internal static IEnumerable<AnalysisObservation> Observations(RecordingResult result)
    {
        foreach (TraceProcess process in result.Traces.SelectMany(t => t.Processes).OrderBy(p => p.Id).ThenBy(p => p.Generation).Take(MostObserved))
        {
            foreach (IGrouping<Side, TraceConnection> group in process.Owned.GroupBy(c => c.Side))
            {
                TraceConnection[] connections = [.. group];
                bool verified = connections.All(c => c.Verified);
                AnalysisObservation Of(string what, double value, long n) =>
                    new() { What = what, Process = process.Label, Value = value, Unit = "ms", N = n, Verified = verified };
                long[] connects = [.. connections.Where(c => c.ConnectNs is not null).Select(c => c.ConnectNs!.Value)];
                if (connects.Length > 0)
                {
                    yield return Of("median time to connect", TraceFindingBuilder.MedianMs(connects), connects.Length);
                }

                if (TraceResponses.Of(connections) is { } r)
                {
                    yield return Of("99th percentile of request times", r.P99Ms, r.Count);
                    yield return Of("99th percentile of request times without the time that Nagle's algorithm held their data", r.P99WithoutMs, r.Count);
                }

                if (connections.Sum(c => c.Totals?.SenderLimitedMs ?? 0) is > 0 and var limited)
                {
                    yield return Of("time with nothing or not enough to send (not a stall)", limited, connections.Count(c => c.Totals is not null));
                }
            }
        }
    }

    private static AnalysedProcess ProcessOf(TraceProcess p, IReadOnlyList<HostSocket> sockets)
    {
        TraceCalls calls = p.Calls();

        // The last value of each connection [TCPIP event 1544]; where no event tells any, what its sockets are now.
        bool[] told = [.. p.Owned.Where(c => c.NoDelay.Count > 0).Select(c => c.NoDelay[^1].On).OfType<bool>()];
        told = told.Length > 0 ? told : [.. sockets.Where(s => s.Pid == p.Id && s.IsConnected).Select(s => s.NoDelay).OfType<bool>()];
        return new AnalysedProcess
        {
            ProcessId = p.Id,
            Process = p.Name,
            Connections = p.Owned.Count,
            Connects = p.Connects,
            Accepts = p.Accepts,
            Disconnects = p.Disconnects,
            Sends = p.Sends,
            BytesSent = p.BytesSent,
            Receives = p.Receives,
            BytesReceived = p.BytesReceived,
            Retransmissions = p.Retransmissions,
            Failures = p.Failures,
            LateReads = calls.LateReads,
            ReadWaitP50Ms = calls.Reads > 0 ? TraceFindingBuilder.MedianMs(calls.ReadWaits) : null,
            SendCalls = calls.Sends,
            SendCallMs = AnalysisReportBuilder.Ms(calls.SendNs),
            SendCallMaxMs = calls.Sends > 0 ? AnalysisReportBuilder.Ms(calls.LongestSendNs) : null,
            NoDelayConnections = told.Length == 0 ? null : told.Count(on => on),
            NagleConnections = told.Length == 0 ? null : told.Count(on => !on),
            Verified = p.Verified && calls.Sends + calls.Reads == 0,
        };
    }

    private static SortedDictionary<string, double> Stalls(TraceConnection t)
    {
        SortedDictionary<string, double> stalls = new(StringComparer.Ordinal);
        void Add(StallKind kind, long ns)
        {
            if (ns > 0)
            {
                stalls[AnalysedConnectionBuilder.NameOf(kind)] = AnalysisReportBuilder.Ms(ns);
            }
        }

        Add(StallKind.NagleDelayedAck, t.LateHolds.Sum(h => h.CostNs));
        Add(StallKind.NagleHold, t.PlainHolds.Sum(h => h.CostNs));
        Add(StallKind.ReceiveWindow, t.Sender.ReceiverLimitedNs);
        Add(StallKind.ZeroWindow, t.Windows.ClosedNs(t.LastNs));
        Add(StallKind.CongestionWindow, t.Sender.CongestionLimitedNs);
        Add(StallKind.LossRto, t.Losses.TimeoutNs + t.Losses.ProbeNs);
        Add(StallKind.LossFastRetransmit, t.Losses.FastNs);
        Add(StallKind.SendBuffer, t.Calls?.BlockedNs ?? 0);
        return stalls;
    }

    private static AnalysedConnection Of(TraceConnection t)
    {
        (TcpEndpoint client, TcpEndpoint server) = t.IsClient ? (t.Local, t.Remote) : (t.Remote, t.Local);
        SortedDictionary<string, double> stalls = Stalls(t);
        TraceTurn[] turns = [.. t.Turns.All(t.IsClient)];
        long[] durations = [.. turns.Select(x => x.DurationNs).Order()];
        long[] own = [.. turns.Where(x => x.OwnNs >= 0).Select(x => x.OwnNs)];
        return new AnalysedConnection
        {
            Id = t.Name,
            Client = new AnalysedEndpoint { Address = client.Address.ToString(), Port = client.Port },
            Server = new AnalysedEndpoint { Address = server.Address.ToString(), Port = server.Port },
            RolesGuessed = t.RoleGuessed,
            StartUtc = AnalysisReportBuilder.Utc(t.FirstNs).UtcDateTime,
            DurationMs = AnalysisReportBuilder.Ms(t.LastNs - t.FirstNs),
            Packets = t.Sends + t.Receives,
            Bytes = t.LocalSent + t.LocalReceived,
            Transactions = turns.Length,
            TransactionP50Ms = durations.Length > 0 ? TraceFindingBuilder.MedianMs(durations) : null,
            TransactionMaxMs = durations.Length > 0 ? AnalysisReportBuilder.Ms(durations[^1]) : null,
            ServerP50Ms = !t.IsClient && own.Length > 0 ? TraceFindingBuilder.MedianMs(own) : null,
            ClientP50Ms = t.IsClient && own.Length > 0 ? TraceFindingBuilder.MedianMs(own) : null,
            Vantage = t.Twin is not null ? "local" : t.IsClient ? "client" : "server",
            BaseRttMs = t.Sender.BaseNs is { } rtt ? AnalysisReportBuilder.Ms(rtt) : null,
            ActiveMs = AnalysisReportBuilder.Ms(t.ActiveNs),
            StallMs = stalls.Values.Sum(),
            StallsMs = stalls,
            Losses = t.Retransmissions + t.Losses.Syns,
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
        Retransmissions = t.Retransmissions,
        NagleHolds = t.LateHolds.Count + t.PlainHolds.Count,
        NagleHoldMs = AnalysisReportBuilder.Ms(t.LateHolds.Concat(t.PlainHolds).Sum(h => h.CostNs)),
        DelayedAckExpiries = t.Receiver.Fired,
        DelayedAckTimerMs = t.Receiver.ArmedMs,
        DelayedAckTicks = t.DelayedAckTicks,
        DelayedAckFrequency = t.DelayedAckFrequency,
        ReceiveWindowMs = AnalysisReportBuilder.Ms(t.Sender.ReceiverLimitedNs),
        CongestionWindowMs = AnalysisReportBuilder.Ms(t.Sender.CongestionLimitedNs),
        ConnectMs = t.ConnectNs is { } connect ? AnalysisReportBuilder.Ms(connect) : null,
        ZeroWindowMs = AnalysisReportBuilder.Ms(t.Windows.ClosedNs(t.LastNs)),
        SenderLimitedMs = t.Totals?.SenderLimitedMs,
        LateReads = t.Calls?.LateReads ?? 0,
        ReadWaitP50Ms = t.Calls is { Reads: > 0 } read ? TraceFindingBuilder.MedianMs(read.ReadWaits) : null,
        SendCalls = t.Calls?.Sends ?? 0,
        SendCallMs = AnalysisReportBuilder.Ms(t.Calls?.SendNs ?? 0),
        SendCallMaxMs = t.Calls is { Sends: > 0 } sent ? AnalysisReportBuilder.Ms(sent.LongestSendNs) : null,
        Verified = t.Verified,
    };
}
