using System.Buffers.Binary;
using System.Runtime.InteropServices;
using LatencyTuner.Core.Evidence;

namespace LatencyTuner.Core.Etw;

/// <summary>
/// Decodes the events of Microsoft-Windows-TCPIP, Winsock-AFD, Kernel-Network and the kernel's TcpIp class, from files and live sessions, without
/// allocating. An event that does not fit its layout, or has a newer version than every known one, is counted, never guessed. A longer payload is read
/// as far as it is known.
/// </summary>
/// <remarks>Not thread-safe.</remarks>
internal sealed class TcpEventDecoder
{
    /// <summary>Microsoft-Windows-TCPIP.</summary>
    public static readonly Guid TcpipProvider = new("2f07e2ee-15db-40f1-90ef-9d7ba282188a");

    /// <summary>Microsoft-Windows-Winsock-AFD.</summary>
    public static readonly Guid AfdProvider = new("e53c6823-7bb8-44bb-90dc-3f86090d48a6");

    /// <summary>Microsoft-Windows-Kernel-Network.</summary>
    public static readonly Guid KernelNetworkProvider = new("7dd42a49-5329-4832-8dfd-43d979153a88");

    /// <summary>Largest event id; no manifest of these providers has a larger one.</summary>
    private const int MaxNumber = 4095;

    /// <summary>Number of versions with their own plan; higher versions share the last one. The highest known version with a meaning is 5.</summary>
    private const int Versions = 8;

    /// <summary>Largest number of unknown events that are named; a hostile trace could make every event different.</summary>
    private const int MostUnknown = 1_000;

    private static readonly string[] SourceNames = ["Microsoft-Windows-TCPIP", "Microsoft-Windows-Winsock-AFD", "Microsoft-Windows-Kernel-Network", "TcpIp"];

    private readonly EtwLayouts _layouts;
    private readonly Dictionary<int, TcpEventPlan?> _plans = [];
    private readonly List<TcpEventPlan> _used = [];
    private readonly Dictionary<(int Source, int Number), (string Name, long Count)> _unknown = [];
    private long _unused;

    /// <summary>Creates a decoder.</summary>
    /// <param name="layouts">The layouts of the trace, or the built-in ones for a live session.</param>
    public TcpEventDecoder(EtwLayouts layouts)
    {
        ArgumentNullException.ThrowIfNull(layouts);
        _layouts = layouts;
    }

    /// <summary>The counts of decoded and not decoded events so far.</summary>
    public TcpEventCounts Counts => new()
    {
        Decoded = _used.Sum(p => p.Decoded),
        Unverified = _used.Where(p => !p.Layout.IsVerified).Sum(p => p.Decoded),
        Undecoded = _used.Sum(p => p.Undecoded),
        Unused = _unused,
        Unknown = _unknown.Values.Sum(u => u.Count),
        UnknownByName = [.. _unknown.OrderByDescending(u => u.Value.Count).ThenBy(u => u.Key).Select(u => KeyValuePair.Create(u.Value.Name, u.Value.Count))],
        UndecodedByName =
            [.. _used.Where(p => p.Undecoded > 0).OrderByDescending(p => p.Undecoded)
                .Select(p => KeyValuePair.Create(p.Name, p.Undecoded))],
        ByLayout = [.. _used.Where(p => p.Decoded > 0).OrderByDescending(p => p.Decoded).Select(p => KeyValuePair.Create(p.Layout, p.Decoded))],
    };

    /// <summary>Decodes an event.</summary>
    /// <param name="header">Its header.</param>
    /// <param name="payload">Its payload.</param>
    /// <param name="tcpEvent">The decoded event.</param>
    /// <param name="fields">Its other fields, by name.</param>
    /// <returns>False when the event is not about TCP or does not fit its layout.</returns>
    public bool TryDecode(in EtwEventHeader header, ReadOnlySpan<byte> payload, out TcpEvent tcpEvent, out EtwPayload fields)
    {
        tcpEvent = default;
        fields = default;
        int source = SourceOf(header);
        if (source < 0)
        {
            return false;
        }

        if (Plan(source, header) is not { } plan)
        {
            CountUnused(source, header);
            return false;
        }

        if (plan.NewerVersion is not null)
        {
            plan.Undecoded++;
            return false;
        }

        tcpEvent.Kind = plan.Layout.Meaning;
        tcpEvent.Source = plan.Source;
        tcpEvent.IsVerified = plan.Layout.IsVerified;
        tcpEvent.TimeNs = header.TimeNs;
        tcpEvent.EventId = header.EventNumber;
        tcpEvent.Processor = header.Processor;
        tcpEvent.RunningProcessId = header.ProcessId;
        tcpEvent.ThreadId = header.ThreadId;
        EtwFieldWalker walker = new(plan.Fields, payload, header.PointerSize);
        while (walker.MoveNext())
        {
            TcpSlot slot = plan.Slots[walker.Index];
            if (slot != TcpSlot.None)
            {
                Store(ref tcpEvent, slot, walker.Value);
            }
        }

        // A payload that ends inside a field, or before a field that every event of this version has, is not the event that its header names.
        if (walker.Walked < plan.Layout.Required || (walker.Walked < plan.Fields.Length && !walker.IsAtEnd))
        {
            plan.Undecoded++;
            return false;
        }

        plan.Decoded++;
        fields = new EtwPayload(plan.Layout, plan.Fields, payload, header.PointerSize);
        return true;
    }

    /// <summary>Delivers every TCP event of a trace in time order.</summary>
    /// <param name="reader">The trace.</param>
    /// <param name="callback">Receives the events.</param>
    /// <param name="cancellation">Ends the reading.</param>
    /// <returns>The counts of decoded and not decoded events.</returns>
    public static TcpEventCounts Read(EtlReader reader, TcpEventCallback callback, CancellationToken cancellation = default)
    {
        ArgumentNullException.ThrowIfNull(reader);
        ArgumentNullException.ThrowIfNull(callback);
        TcpEventDecoder decoder = new(reader.ReadLayouts(cancellation));
        reader.Read(
            (in EtwEventHeader header, ReadOnlySpan<byte> payload) =>
            {
                if (decoder.TryDecode(header, payload, out TcpEvent tcpEvent, out EtwPayload fields))
                {
                    callback(tcpEvent, fields);
                }
            },
            cancellation);
        return decoder.Counts;
    }

    private static int SourceOf(in EtwEventHeader header) =>
        header.Kind != EtwEventKind.Manifest ? (header.Provider == KernelClasses.TcpIp ? 3 : -1)
        : header.Provider == TcpipProvider ? 0
        : header.Provider == AfdProvider ? 1
        : header.Provider == KernelNetworkProvider ? 2
        : -1;

    private TcpEventPlan? Plan(int source, in EtwEventHeader header)
    {
        if (header.EventNumber > MaxNumber)
        {
            return null;
        }

        int key = (((source * (MaxNumber + 1)) + header.EventNumber) * Versions) + Math.Min((int)header.Version, Versions - 1);
        if (_plans.TryGetValue(key, out TcpEventPlan? plan))
        {
            return plan;
        }

        TcpEventSource provider = source switch { 0 => TcpEventSource.Tcpip, 1 => TcpEventSource.Afd, _ => TcpEventSource.Kernel };
        EtwEventLayout? layout = _layouts.Find(header);
        bool isClassic = header.Kind != EtwEventKind.Manifest;
        if (layout is null && _layouts.FindOlder(header.Provider, isClassic, header.EventNumber, header.Version) is { Meaning: not TcpEventKind.None } older)
        {
            plan = new TcpEventPlan(older, provider) { NewerVersion = header.Version };
            _used.Add(plan);
        }
        else if (layout is null || layout.Fields.Count == 0)
        {
            if (_unknown.Count < MostUnknown)
            {
                _unknown.TryAdd((source, header.EventNumber), ($"{layout?.Name ?? SourceNames[source]} [event {header.EventNumber}]", 0));
            }
        }
        else if (layout.Meaning != TcpEventKind.None)
        {
            plan = new TcpEventPlan(layout, provider);
            _used.Add(plan);
        }

        _plans.Add(key, plan);
        return plan;
    }

    private void CountUnused(int source, in EtwEventHeader header)
    {
        _unused++;
        (int source, int EventNumber) key = (source, header.EventNumber);
        if (_unknown.TryGetValue(key, out (string Name, long Count) known))
        {
            _unknown[key] = (known.Name, known.Count + 1);
        }
    }

    private static void Store(ref TcpEvent e, TcpSlot slot, ReadOnlySpan<byte> value)
    {
        switch (slot)
        {
            case TcpSlot.LocalSocketAddress:
                if (TcpEndpoint.TryReadSocketAddress(value, out TcpEndpoint local))
                {
                    e.Local = local;
                }

                return;
            case TcpSlot.RemoteSocketAddress:
                if (TcpEndpoint.TryReadSocketAddress(value, out TcpEndpoint remote))
                {
                    e.Remote = remote;
                }

                return;
            case TcpSlot.LocalAddress:
                e.Local = value.Length is 4 or 16 ? TcpEndpoint.Of(value, e.Local.Port) : default;
                return;
            case TcpSlot.RemoteAddress:
                e.Remote = value.Length is 4 or 16 ? TcpEndpoint.Of(value, e.Remote.Port) : default;
                return;
            case TcpSlot.LocalPort:
                e.Local = value.Length == 2 ? e.Local.WithPort(BinaryPrimitives.ReadUInt16BigEndian(value)) : e.Local;
                return;
            case TcpSlot.RemotePort:
                e.Remote = value.Length == 2 ? e.Remote.WithPort(BinaryPrimitives.ReadUInt16BigEndian(value)) : e.Remote;
                return;
            case TcpSlot.Injected:
                e.IsInjected = MemoryMarshal.Cast<byte, char>(value).TrimEnd('\0').Equals("injected", StringComparison.OrdinalIgnoreCase);
                return;
            default:
                Store(ref e, slot, EtwFieldWalker.Read(value));
                return;
        }
    }

    private static void Store(ref TcpEvent e, TcpSlot slot, ulong value)
    {
        e.Fields |= (TcpFields)(1u << ((int)slot - 1));
        switch (slot)
        {
            case TcpSlot.Tcb: e.Tcb = value; break;
            case TcpSlot.Endpoint: e.Endpoint = value; break;
            case TcpSlot.Bytes: e.Bytes = value; break;
            case TcpSlot.ProcessId: e.ProcessId = (uint)value; break;
            case TcpSlot.Sequence: e.Sequence = (uint)value; break;
            case TcpSlot.SendUnacknowledged: e.SendUnacknowledged = (uint)value; break;
            case TcpSlot.Cwnd: e.Cwnd = (uint)value; break;
            case TcpSlot.SendWindow: e.SendWindow = (uint)value; break;
            case TcpSlot.ReceiveWindow: e.ReceiveWindow = (uint)value; break;
            case TcpSlot.Srtt: e.Srtt = (uint)value; break;
            case TcpSlot.RttVariation: e.RttVariation = (uint)value; break;
            case TcpSlot.RttSample: e.RttSample = (uint)value; break;
            case TcpSlot.Rto: e.Rto = (uint)value; break;
            case TcpSlot.TimerType: e.TimerType = (uint)value; break;
            case TcpSlot.WaitMs: e.WaitMs = (uint)value; break;
            case TcpSlot.OldState: e.OldState = (uint)value; break;
            case TcpSlot.NewState: e.NewState = (uint)value; break;
            case TcpSlot.Status: e.Status = (uint)value; break;
            case TcpSlot.Option: e.Option = (uint)value; break;
            case TcpSlot.OptionValue: e.OptionValue = (uint)value; break;
            case TcpSlot.Count: e.Count = (uint)value; break;
            case TcpSlot.EnterExit: e.EnterExit = (uint)value; break;
            case TcpSlot.Available: e.Available = (uint)value; break;
            case TcpSlot.Location: e.Location = (uint)value; break;
            default: break;
        }
    }
}

/// <summary>Receives one TCP event. Both arguments are valid only during the call.</summary>
/// <param name="tcpEvent">The fields that analyses share.</param>
/// <param name="payload">Any field by name, for rare events such as summaries and template parameters.</param>
internal delegate void TcpEventCallback(in TcpEvent tcpEvent, EtwPayload payload);

/// <summary>Counts of the decoded and not decoded TCP events.</summary>
internal sealed record TcpEventCounts
{
    /// <summary>Number of events that were decoded and delivered.</summary>
    public long Decoded { get; init; }

    /// <summary>Number of decoded events whose layout is based on a manifest only.</summary>
    public long Unverified { get; init; }

    /// <summary>Number of events that do not fit their layout, or whose version is newer than every known one; they were not delivered.</summary>
    public long Undecoded { get; init; }

    /// <summary>Number of events of the TCP providers without a known layout, or without a value that an analysis uses.</summary>
    public long Unused { get; init; }

    /// <summary>Number of unused events without a known layout.</summary>
    public long Unknown { get; init; }

    /// <summary>The events without a known layout, most frequent first: event name (or provider name) and number; at most 1,000.</summary>
    public IReadOnlyList<KeyValuePair<string, long>> UnknownByName { get; init; } = [];

    /// <summary>The events that did not fit their layout, most frequent first: event name and number.</summary>
    public required IReadOnlyList<KeyValuePair<string, long>> UndecodedByName { get; init; }

    /// <summary>How often each event was decoded, most frequent first.</summary>
    public required IReadOnlyList<KeyValuePair<EtwEventLayout, long>> ByLayout { get; init; }
}
