using System.Runtime.InteropServices;
using LatencyTuner.Core.Capture;
using LatencyTuner.Core.Etw;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Recordings.Traces;

/// <summary>Takes the events of files and of live sessions: counts them, takes out names and packets, and passes the others to the analysis.</summary>
/// <param name="layouts">The layouts of the trace, or the built-in ones for a live session.</param>
/// <param name="packetTaken">Called with each packet, numbered from 1.</param>
/// <param name="filter">Which events to analyse.</param>
/// <param name="originNs">The time from which events count theirs, nanoseconds since 1970.</param>
internal sealed class TraceIntake(EtwLayouts layouts, TraceIntake.PacketTaken packetTaken, RecordingFilter filter, long originNs)
{
    private static readonly Dictionary<Guid, string> Known = new()
    {
        [TcpEventDecoder.TcpipProvider] = "Microsoft-Windows-TCPIP",
        [TcpEventDecoder.AfdProvider] = "Microsoft-Windows-Winsock-AFD",
        [TcpEventDecoder.KernelNetworkProvider] = "Microsoft-Windows-Kernel-Network",
        [TracePacketReader.PktMonProvider] = "Microsoft-Windows-PktMon",
        [TracePacketReader.NdisProvider] = "Microsoft-Windows-NDIS-PacketCapture",
        [new("22fb2cd6-0e7b-422b-a0c7-2fad1fd0e716")] = "Microsoft-Windows-Kernel-Process",
        [new("9a280ac0-c8e0-11d1-84e2-00c04fb998a2")] = "TcpIp",
        [new("bf3a50c5-a9c9-4988-a005-2df0b7c80f80")] = "UdpIp",
        [new("68fdd900-4a3e-11d1-84f4-0000f80464e3")] = "EventTrace",
        [new("3d6fa8d0-fe05-11d0-9dda-00c04fd7ba7c")] = "Process",
        [new("3d6fa8d1-fe05-11d0-9dda-00c04fd7ba7c")] = "Thread",
    };

    /// <summary>Takes a packet of a trace.</summary>
    /// <param name="frame">The packet; its bytes are valid during the call only.</param>
    public delegate void PacketTaken(in CapturedFrame frame);

    private readonly TracePacketReader _packets = new();
    private readonly TraceInterfaces _interfaces = new();
    private long _packetsTaken;
    private readonly Dictionary<(Guid Provider, bool Classic, int Number, byte Version, int Schema), long> _counts = [];
    private long _firstNs = long.MaxValue;
    private long _lastNs = long.MinValue;

    /// <summary>Gets the events that are not packets.</summary>
    public TraceFeed Feed { get; } = new(layouts, filter, originNs);

    /// <summary>Number of all records, including header and metadata.</summary>
    public long Events { get; private set; }

    public long? FirstNs => _lastNs >= _firstNs ? originNs + _firstNs : null;

    public long? LastNs => _lastNs >= _firstNs ? originNs + _lastNs : null;

    public void Take(in EtwEventHeader header, ReadOnlySpan<byte> payload)
    {
        Events++;
        (Guid, bool, int, byte, int) key = (header.Provider, header.Kind != EtwEventKind.Manifest, header.EventNumber, header.Version, header.InlineSchema);
        CollectionsMarshal.GetValueRefOrAddDefault(_counts, key, out _)++;
        (_firstNs, _lastNs) = (Math.Min(_firstNs, header.TimeNs), Math.Max(_lastNs, header.TimeNs));
        if (_packets.TryTake(in header, payload, out TracePacket packet))
        {
            packetTaken(
                new CapturedFrame
                {
                    Number = ++_packetsTaken,
                    TimeNs = originNs + header.TimeNs,
                    LinkType = packet.LinkType,
                    InterfaceId = 0,
                    OriginalLength = packet.OriginalLength,
                    Data = packet.Data,
                });
        }
        else if (header.Provider == TracePacketReader.PktMonProvider)
        {
            _interfaces.Take(in header, payload);
        }
        else
        {
            Feed.Take(in header, payload);
        }
    }

    /// <summary>Packets that this machine dropped, by component and reason, the most frequent first: what pktmon says of them.</summary>
    public IReadOnlyList<string> Drops() =>
    [
        .. _packets.Drops.OrderByDescending(d => d.Value).ThenBy(d => d.Key)
            .Select(
                d => $"{Counted.Of(d.Value, "packet")} by {_interfaces.Of(TracePacketReader.PktMonProvider, d.Key.Component).Name}, "
                    + $"reason {d.Key.Reason}"),
    ];

    /// <summary>Adds the number of packets and events of the trace that were left out, by reason.</summary>
    /// <param name="skipped">Number of packets left out, by reason; the events are added to it.</param>
    /// <param name="decoded">Number of events decoded and not decoded.</param>
    public SortedDictionary<string, long> AddSkipped(SortedDictionary<string, long> skipped, TcpEventCounts decoded)
    {
        AddTo(skipped, "packets at further components", _packets.Repeated);
        AddTo(skipped, "packets in parts or malformed", _packets.Malformed);
        AddTo(skipped, "events that do not fit their layout", decoded.Undecoded);
        AddTo(skipped, "events without a known layout", decoded.Unknown);
        return skipped;
    }

    /// <summary>How many of each event there were, the most frequent first.</summary>
    /// <param name="inline">Gives the names of provider and event from events that describe themselves, by schema number; null for other sources.</param>
    public IReadOnlyList<TraceEventCount> EventCounts(Func<int, (string Provider, string Event)>? inline = null) =>
    [
        .. _counts.OrderByDescending(c => c.Value).ThenBy(c => c.Key.Provider).ThenBy(c => c.Key.Number).ThenBy(c => c.Key.Schema).Select(c =>
        {
            (string? provider, string? name) = c.Key.Schema > 0 && inline is not null
                ? inline(c.Key.Schema)
                : (null, layouts.FindOlder(c.Key.Provider, c.Key.Classic, c.Key.Number, c.Key.Version)?.Name);
            return new TraceEventCount(Given(provider) ?? NameOf(c.Key.Provider), c.Key.Classic, c.Key.Number, c.Key.Version, c.Value, Given(name));
        }),
    ];

    internal static void AddTo(SortedDictionary<string, long> skipped, string reason, long count)
    {
        if (count > 0)
        {
            skipped[reason] = count;
        }
    }

    private static string? Given(string? name) => string.IsNullOrEmpty(name) ? null : name;

    private string NameOf(Guid provider) =>
        Known.TryGetValue(provider, out string? name) ? name
        : layouts.FromTrace.FirstOrDefault(l => l.Provider == provider && l.ProviderName.Length > 0)?.ProviderName ?? provider.ToString();
}
