using LatencyTuner.Core.Evidence;

namespace LatencyTuner.Core.Etw;

/// <summary>
/// Estimated amount of data that a profile writes. It counts the events that one request and its reply cause at one end (each of one segment, on
/// an open connection, without loss). It is not a measurement: no real trace was available.
/// </summary>
/// <param name="EventsPerRequest">Number of events at one end for each request.</param>
/// <param name="BytesPerRequest">Size of these events with their headers, in bytes.</param>
internal sealed record EtwProfileCost(double EventsPerRequest, double BytesPerRequest)
{
    private const int HeaderBytes = 0x50;
    private const int StringBytes = 24;
    private const int PacketBytes = 128;
    private const int SocketAddressBytes = 28;

    /// <summary>
    /// Number of events for one request. A packet capture sees the data and the ACK of the reply at one place. A call writes one event when it enters
    /// and one when it leaves. Two timers start and stop: retransmission after the send, delayed ACK after the receive.
    /// </summary>
    private static readonly Dictionary<TcpEventKind, int> PerRequest = new()
    {
        [TcpEventKind.SendPosted] = 1,
        [TcpEventKind.SendTransmitted] = 1,
        [TcpEventKind.SendAdvanced] = 1,
        [TcpEventKind.DataSent] = 1,
        [TcpEventKind.RttSampled] = 1,
        [TcpEventKind.CumulativeAck] = 1,
        [TcpEventKind.DataReceived] = 1,
        [TcpEventKind.ReceiveRequested] = 1,
        [TcpEventKind.DeliveryIndicated] = 1,
        [TcpEventKind.DeliverySatisfied] = 1,
        [TcpEventKind.TimerStarted] = 2,
        [TcpEventKind.TimerStopped] = 2,
        [TcpEventKind.SocketSend] = 2,
        [TcpEventKind.SocketReceive] = 2,
        [TcpEventKind.SocketDataIndicated] = 1,
        [TcpEventKind.KernelSend] = 1,
        [TcpEventKind.KernelReceive] = 1,
    };

    private const int PacketsPerRequest = 3;

    /// <summary>Estimates a profile.</summary>
    /// <param name="profile">The profile.</param>
    /// <param name="filtered">False for tools that cannot filter by event id.</param>
    public static EtwProfileCost Of(EtwProfile profile, bool filtered)
    {
        ArgumentNullException.ThrowIfNull(profile);
        double events = 0, bytes = 0;
        foreach (EtwProfileProvider provider in profile.Providers)
        {
            // Several events can have the same meaning, for example an ACK for each congestion provider: only one of them is written.
            foreach (IGrouping<TcpEventKind, EtwEventLayout> group in EtwLayoutTable.All.Where(l => provider.Writes(l, filtered)).GroupBy(l => l.Meaning))
            {
                int widest = group.Max(BytesOf);
                int count = PerRequest.GetValueOrDefault(group.Key) + (group.Any(l => l.Name == "PktMonPacket") ? PacketsPerRequest : 0);
                (events, bytes) = (events + count, bytes + (count * widest));
            }
        }

        return new EtwProfileCost(events, bytes);
    }

    private static int BytesOf(EtwEventLayout layout) => HeaderBytes + layout.Fields.Sum(f => f.Type switch
    {
        EtwFieldType.UnicodeString or EtwFieldType.AnsiString => StringBytes,
        EtwFieldType.Binary => f.Name == "Payload" ? PacketBytes : SocketAddressBytes,
        _ => f.Width(8),
    });
}
