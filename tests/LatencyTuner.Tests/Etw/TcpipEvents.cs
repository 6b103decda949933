using System.Net;
using LatencyTuner.Core.Etw;

namespace LatencyTuner.Tests.Etw;

/// <summary>
/// Events of Microsoft-Windows-TCPIP at exact times on one machine, payloads written field by field as its manifests order them. Times are in
/// microseconds since the beginning.
/// </summary>
internal sealed partial class TcpipEvents(long origin = 5_000_000_000, int pointerSize = 8)
{
    internal const uint DelayedAckTimer = 2;

    private readonly List<EtlRecord> _records = [];
    private (int Process, int Thread)? _running;

    internal EtlRecord[] Records => [.. _records.OrderBy(r => r.Time)];

    internal TcpipEvents Connected(long us, ulong tcb, IPEndPoint local, IPEndPoint remote, uint processId, byte version = 1) =>
        Add(us, 1033, version, Tail(Addresses(local, remote).U32(0).U32(processId).U32(1).Pointer(tcb, pointerSize), version));

    /// <summary>What the handshake agreed on, by Microsoft-Windows-Kernel-Network.</summary>
    internal TcpipEvents Agreed(long us, IPEndPoint local, IPEndPoint remote, uint processId, int mss, bool timestamps) => Add(
        us, 12, 0,
        new ByteWriter().U32(processId).U32(0).Raw(remote.Address.GetAddressBytes()).Raw(local.Address.GetAddressBytes()).BigEndian16((ushort)remote.Port)
            .BigEndian16((ushort)local.Port).U16((ushort)mss).U16(1).U16((ushort)(timestamps ? 1 : 0)).U16(1).U32(65_535).U16(8).U16(8).U32(0)
            .Pointer(0, pointerSize),
        provider: TcpEventDecoder.KernelNetworkProvider);

    internal TcpipEvents Accepted(long us, ulong tcb, IPEndPoint local, IPEndPoint remote, uint processId, byte version = 1) =>
        Add(us, 1017, version, Tail(Addresses(local, remote).U32(0).U32(processId).U32(1).Pointer(tcb, pointerSize), version));

    internal TcpipEvents Disconnected(long us, ulong tcb, IPEndPoint local, IPEndPoint remote, uint processId) =>
        Add(us, 1043, 0, Addresses(local, remote).U32(0).U32(processId).U32(1).Pointer(tcb, pointerSize));

    internal TcpipEvents Rundown(long us, ulong tcb, IPEndPoint local, IPEndPoint remote, uint processId, uint state = 4) =>
        Add(us, 1300, 0, P(tcb).Raw(Addresses(local, remote).ToArray()).U32(state).U32(processId));

    internal TcpipEvents StateChanged(long us, ulong tcb, uint before, uint after, uint sndNxt) =>
        Add(us, 1051, 0, new ByteWriter().U32(before).U32(after).U32(sndNxt).Pointer(tcb, pointerSize));

    internal TcpipEvents SendPosted(long us, ulong tcb, uint bytes, uint sndNxt, string injected = "application") =>
        Add(us, 1159, 0, P(tcb).Text(injected).U32(bytes).U32(sndNxt));

    internal TcpipEvents SendTransmitted(long us, ulong tcb, uint bytes, uint sndNxt, string injected = "application") =>
        Add(us, 1160, 0, P(tcb).Text(injected).U32(bytes).U32(sndNxt), level: 5);

    internal TcpipEvents DataSent(
        long us, ulong tcb, uint bytes, uint sequence, uint cwnd = 14_600, uint sndWnd = 65_535, uint srtt = 1, uint rto = 300, uint? rcvWnd = 65_535)
    {
        ByteWriter payload = P(tcb).U32(cwnd).U32(sndWnd).U32(bytes).U32(sequence).U32(srtt).U32(1).U32(rto);
        return Add(us, 1332, (byte)(rcvWnd is null ? 0 : 1), rcvWnd is { } window ? payload.U32(window) : payload);
    }

    internal TcpipEvents CumulativeAck(long us, ulong tcb, uint acked, uint sequence, uint cwnd = 14_600, uint sndWnd = 65_535) =>
        Add(us, 1330, 0, P(tcb).U32(cwnd).U32(sndWnd).U32(acked).U32(sequence));

    internal TcpipEvents DataReceived(long us, ulong tcb, uint bytes, uint sequence) => Add(us, 1074, 0, P(tcb).U32(bytes).U32(sequence));

    internal TcpipEvents TimerStarted(long us, ulong tcb, uint timer, uint waitMs) =>
        Add(us, 1064, 1, P(tcb).U32(timer).U32(waitMs).U32(0).U64(0).U64(0).I64(0).I64(0), level: 5);

    /// <summary>The form of builds 26100 and later, which dropped the last two fields.</summary>
    internal TcpipEvents TimerStartedV2(long us, ulong tcb, uint timer, uint waitMs) =>
        Add(us, 1064, 2, P(tcb).U32(timer).U32(waitMs).U32(3).U64(7).U64(8), level: 5);

    /// <summary>The form of builds 22000 and later, which says what is unacknowledged.</summary>
    internal TcpipEvents DataSentV3(long us, ulong tcb, uint bytes, uint sequence, uint sndUna, uint cwnd = 14_600, uint sndWnd = 65_535) =>
        Add(
            us, 1332, 3,
            P(tcb).U32(cwnd).U32(sndWnd).U32(bytes).U32(sequence).U32(1).U32(1).U32(300).U32(65_535).U32(0).U32(4).U32(0).U32(sndUna)
                .U32(sequence + bytes).U32(0));

    /// <summary>Any socket option with its value (builds 22000 and later); level 6 and name 1 are TCP_NODELAY.</summary>
    internal TcpipEvents SocketOptionValue(long us, ulong endpoint, uint level, uint name, params byte[] value) =>
        Add(us, 1544, 0, P(endpoint).U32(level).U32(name).U32((uint)value.Length).Raw(value));

    /// <summary>The form of builds 22000 and later, which begins with the endpoint.</summary>
    internal TcpipEvents EndpointCreatedV2(long us, ulong endpoint, IPEndPoint local, uint processId) =>
        Add(
            us, 1013, 2,
            P(endpoint).U32((uint)SocketAddress(local).Length).Raw(SocketAddress(local)).U32(0).U32(processId).U32(1).U32(2).U64(99));

    internal TcpipEvents TimerStopped(long us, ulong tcb, uint timer) => Add(us, 1065, 0, P(tcb).U32(timer).U32(0), level: 5);

    internal TcpipEvents TimerExpired(long us, ulong tcb, uint timer) => Add(us, 1066, 0, P(tcb).U32(timer).U32(0), level: 5);

    internal TcpipEvents SwsAvoidance(long us, ulong tcb, bool begins, ulong bytes, uint available) =>
        Add(us, (ushort)(begins ? 1100 : 1101), 0, P(tcb).U32(5_000).Pointer(bytes, pointerSize).U32(available).U32(14_600).Pointer(65_535, pointerSize));

    internal TcpipEvents OptionSet(long us, ulong tcb, uint option) => Add(us, 1104, 0, P(tcb).U32(option).U32(0));

    internal TcpipEvents SocketOptionSet(long us, ulong tcb, uint option) => Add(us, 1105, 0, P(tcb).U32(0).U32(option));

    internal TcpipEvents TemplateParameters(long us, ulong tcb, uint delayedAckTicks, uint delayedAckFrequency, bool oldBuild = false)
    {
        ByteWriter payload = P(tcb).U32(0).U32(300).U32(0).U32(10).U32(5).U32(5).U32(delayedAckTicks).U32(delayedAckFrequency);
        return Add(us, 1223, 0, oldBuild ? payload : payload.U32(1).U32(1));
    }

    internal TcpipEvents ReceiveRequested(long us, ulong tcb, ulong bytes, uint rcvNxt) => Add(us, 1156, 0, Delivery(tcb, bytes, rcvNxt));

    internal TcpipEvents DeliveryIndicated(long us, ulong tcb, ulong bytes, uint rcvNxt) => Add(us, 1157, 0, Delivery(tcb, bytes, rcvNxt));

    internal TcpipEvents DeliverySatisfied(long us, ulong tcb, ulong bytes, uint rcvNxt) => Add(us, 1158, 0, Delivery(tcb, bytes, rcvNxt));

    internal TcpipEvents RetransmitRound(long us, ulong tcb, uint sndUna, uint count, uint rto) =>
        Add(us, 1351, 0, P(tcb).U32(sndUna).U32(count).U32(1).U32(rto));

    internal TcpipEvents ZeroWindowProbing(long us, ulong tcb, bool begins, uint sndUna) =>
        Add(us, (ushort)(begins ? 1102 : 1103), 0, P(tcb).U32(sndUna).U32(sndUna));

    /// <summary>Any event, for what the methods above do not write.</summary>
    internal TcpipEvents Add(long us, ushort id, byte version, ByteWriter payload, byte level = 4, Guid? provider = null)
    {
        EtlRecord record =
            EtlRecord.Manifest(origin + (us * 10), 0, provider ?? TcpEventDecoder.TcpipProvider, id, version, payload.ToArray(), pointerSize, level);
        _records.Add(_running is { } running ? record.RunBy(running.Process, running.Thread) : record);
        return this;
    }

    /// <summary>The process and thread in whose time the next events are written.</summary>
    internal TcpipEvents On(int process, int thread)
    {
        _running = (process, thread);
        return this;
    }

    internal TcpipEvents ConnectStarted(long us, ulong tcb, IPEndPoint local, IPEndPoint remote, uint processId) =>
        Add(us, 1031, 0, Addresses(local, remote).U32(0).U32(processId).U32(1).Pointer(tcb, pointerSize));

    internal TcpipEvents SynSentAgain(long us, ulong tcb, IPEndPoint local, IPEndPoint remote, uint count) =>
        Add(us, 1186, 0, P(tcb).Raw(Addresses(local, remote).ToArray()).U32(2).U32(count));

    internal TcpipEvents Retransmitted(long us, ulong tcb, IPEndPoint local, IPEndPoint remote, uint count) =>
        Add(us, 1187, 0, P(tcb).Raw(Addresses(local, remote).ToArray()).U32(4).U32(count));

    internal TcpipEvents DuplicateAck(long us, ulong tcb, uint count, uint sequence) =>
        Add(us, 1430, 0, P(tcb).U32(14_600).U32(65_535).U32(count).U32(sequence).U32(0));

    internal TcpipEvents TailLossProbe(long us, ulong tcb, uint what) => Add(us, 1386, 0, P(tcb).U32(what), level: 5);

    /// <summary>The totals of 1352 in its layout, of which only what is given is not zero.</summary>
    internal TcpipEvents Summary(long us, ulong tcb, uint receiverMs = 0, uint congestionMs = 0, uint senderMs = 0, uint timeouts = 0, uint fast = 0)
    {
        EtwEventLayout layout = EtwLayoutTable.All.Single(l => l.Provider == TcpEventDecoder.TcpipProvider && l.Number == 1352);
        ByteWriter payload = new();
        foreach (EtwField field in layout.Fields)
        {
            ulong value = field.Name switch
            {
                "Tcb" => tcb,
                "SndLimTimeRwin" => receiverMs,
                "SndLimTimeCwnd" => congestionMs,
                "SndLimTimeRSnd" =>
                senderMs,
                "Timeouts" => timeouts,
                "FastRetran" => fast,
                _ => 0
            };
            _ = field.Width(pointerSize) == 8 ? payload.U64(value) : payload.U32((uint)value);
        }

        return Add(us, 1352, 0, payload, level: 0);
    }

    internal ByteWriter P(ulong tcb) => new ByteWriter().Pointer(tcb, pointerSize);

    private ByteWriter Delivery(ulong tcb, ulong bytes, uint rcvNxt) =>
        P(tcb).Pointer(0x11, pointerSize).Pointer(0x22, pointerSize).Pointer(bytes, pointerSize).U32(0).Pointer(bytes, pointerSize).U32(0).U32(0).U32(0)
            .U32(rcvNxt);

    private static ByteWriter Tail(ByteWriter payload, byte version) => version == 0 ? payload : payload.U64(99);

    private static ByteWriter Addresses(IPEndPoint local, IPEndPoint remote)
    {
        (byte[]? a, byte[]? b) = (SocketAddress(local), SocketAddress(remote));
        return new ByteWriter().U32((uint)a.Length).Raw(a).U32((uint)b.Length).Raw(b);
    }

    private static byte[] SocketAddress(IPEndPoint end)
    {
        byte[] bytes = end.Address.GetAddressBytes();
        ByteWriter head = new ByteWriter().U16((ushort)(bytes.Length == 4 ? 2 : 23)).BigEndian16((ushort)end.Port);
        return (bytes.Length == 4 ? head.Raw(bytes).Zeros(8) : head.U32(0).Raw(bytes).U32(0)).ToArray();
    }
}
