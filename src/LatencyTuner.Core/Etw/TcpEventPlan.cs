using LatencyTuner.Core.Evidence;

namespace LatencyTuner.Core.Etw;

/// <summary>A layout prepared for decoding: each field with its target in the decoded event.</summary>
internal sealed class TcpEventPlan
{
    private const int SetSocketOption = 1105;

    private static readonly Dictionary<string, TcpSlot> ByName = new()
    {
        ["ProcessId"] = TcpSlot.ProcessId,
        ["Pid"] = TcpSlot.ProcessId,
        ["PID"] = TcpSlot.ProcessId,
        ["Tcb"] = TcpSlot.Tcb,
        ["Endpoint"] = TcpSlot.Endpoint,
        ["NumBytes"] = TcpSlot.Bytes,
        ["BytesSent"] = TcpSlot.Bytes,
        ["BytesAcked"] = TcpSlot.Bytes,
        ["BytesToSend"] = TcpSlot.Bytes,
        ["BytesInSegment"] = TcpSlot.Bytes,
        ["ChunkSize"] = TcpSlot.Bytes,
        ["IsbSize"] = TcpSlot.Bytes,
        ["BufferSize"] = TcpSlot.Bytes,
        ["BufferLength"] = TcpSlot.Bytes,
        ["SendBacklog"] = TcpSlot.Bytes,
        ["size"] = TcpSlot.Bytes,
        ["SeqNo"] = TcpSlot.Sequence,
        ["SndNxt"] = TcpSlot.Sequence,
        ["RcvNxt"] = TcpSlot.Sequence,
        ["ISN"] = TcpSlot.Sequence,
        ["SequenceNumber"] = TcpSlot.Sequence,
        ["TailProbeSeq"] = TcpSlot.Sequence,
        ["SndUna"] = TcpSlot.SendUnacknowledged,
        ["Cwnd"] = TcpSlot.Cwnd,
        ["CWnd"] = TcpSlot.Cwnd,
        ["NewCwnd"] = TcpSlot.Cwnd,
        ["SndWnd"] = TcpSlot.SendWindow,
        ["RcvWnd"] = TcpSlot.ReceiveWindow,
        ["SRtt"] = TcpSlot.Srtt,
        ["SRTT"] = TcpSlot.Srtt,
        ["RttVar"] = TcpSlot.RttVariation,
        ["RttSample"] = TcpSlot.RttSample,
        ["RTO"] = TcpSlot.Rto,
        ["Rto"] = TcpSlot.Rto,
        ["TimerType"] = TcpSlot.TimerType,
        ["WaitTimeMilliseconds"] = TcpSlot.WaitMs,
        ["OldState"] = TcpSlot.OldState,
        ["NewState"] = TcpSlot.NewState,
        ["State"] = TcpSlot.NewState,
        ["TcpState"] = TcpSlot.NewState,
        ["Status"] = TcpSlot.Status,
        ["OptionType"] = TcpSlot.Option,
        ["Option"] = TcpSlot.Option,
        ["TemplateType"] = TcpSlot.Option,
        ["TlpEvent"] = TcpSlot.Option,
        ["FailureCode"] = TcpSlot.Option,
        ["Value"] = TcpSlot.OptionValue,
        ["RexmitCount"] = TcpSlot.Count,
        ["DupAckCount"] = TcpSlot.Count,
        ["CoalescedSegCount"] = TcpSlot.Count,
        ["EnterExit"] = TcpSlot.EnterExit,
        ["Location"] = TcpSlot.Location,
        ["SendAvailable"] = TcpSlot.Available,
        ["BytesAvailable"] = TcpSlot.Available,
        ["LocalAddress"] = TcpSlot.LocalSocketAddress,
        ["LocalSockAddr"] = TcpSlot.LocalSocketAddress,
        ["RemoteAddress"] = TcpSlot.RemoteSocketAddress,
        ["RemoteSockAddr"] = TcpSlot.RemoteSocketAddress,
        ["Address"] = TcpSlot.RemoteSocketAddress,
        ["Injected"] = TcpSlot.Injected,

        // In TCP events of the kernel the source is this machine, in both directions of data.
        ["saddr"] = TcpSlot.LocalAddress,
        ["daddr"] = TcpSlot.RemoteAddress,
        ["sport"] = TcpSlot.LocalPort,
        ["dport"] = TcpSlot.RemotePort,
    };

    internal TcpEventPlan(EtwEventLayout layout, TcpEventSource source)
    {
        (Layout, Source, Fields) = (layout, source, [.. layout.Fields]);
        Slots = [.. Fields.Select(f => SlotOf(layout, f))];
    }

    internal EtwEventLayout Layout { get; }

    internal TcpEventSource Source { get; }

    internal EtwField[] Fields { get; }

    internal TcpSlot[] Slots { get; }

    /// <summary>The version of events that are newer than every known layout, and are only counted; null for the others.</summary>
    internal int? NewerVersion { get; init; }

    internal string Name => $"{Layout.Name} [event {Layout.Number}{(NewerVersion is { } version ? $", version {version}" : "")}]";

    /// <summary>Number of events that did not fit the layout.</summary>
    internal long Undecoded { get; set; }

    /// <summary>Number of events that were decoded.</summary>
    internal long Decoded { get; set; }

    private static TcpSlot SlotOf(EtwEventLayout layout, EtwField field)
    {
        // Both socket option events have the same three fields; each event uses a different one for the option.
        if (layout.Meaning == TcpEventKind.SocketOptionSet && layout.Number == SetSocketOption)
        {
            if (field.Name == "OptionType")
            {
                return TcpSlot.None;
            }

            if (field.Name == "SoOptionType")
            {
                return TcpSlot.Option;
            }
        }

        if (layout.Meaning == TcpEventKind.SocketBind && field.Name == "Address")
        {
            return TcpSlot.LocalSocketAddress;
        }

        return ByName.GetValueOrDefault(field.Name);
    }
}

/// <summary>The target of an event field in the decoded event.</summary>
internal enum TcpSlot : byte
{
    None,
    ProcessId,
    Tcb,
    Endpoint,
    Bytes,
    Sequence,
    SendUnacknowledged,
    Cwnd,
    SendWindow,
    ReceiveWindow,
    Srtt,
    RttVariation,
    RttSample,
    Rto,
    TimerType,
    WaitMs,
    OldState,
    NewState,
    Status,
    Option,
    OptionValue,
    Count,
    EnterExit,
    Available,
    Location,
    LocalSocketAddress,
    RemoteSocketAddress,
    LocalAddress,
    RemoteAddress,
    LocalPort,
    RemotePort,
    Injected,
}
