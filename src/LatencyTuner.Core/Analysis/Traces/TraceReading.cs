using LatencyTuner.Core.Analysis.Captures;
using LatencyTuner.Core.Capture;
using LatencyTuner.Core.Etw;
using LatencyTuner.Core.Evidence;

namespace LatencyTuner.Core.Analysis.Traces;

/// <summary>Reads one trace: its events about TCP, and the packets in it, which go the way of captured ones.</summary>
internal static class TraceReading
{
    private static readonly Dictionary<Guid, string> Known = new()
    {
        [TcpEventDecoder.TcpipProvider] = "Microsoft-Windows-TCPIP",
        [TcpEventDecoder.AfdProvider] = "Microsoft-Windows-Winsock-AFD",
        [TcpEventDecoder.KernelNetworkProvider] = "Microsoft-Windows-Kernel-Network",
        [TracePackets.PktMonProvider] = "Microsoft-Windows-PktMon",
        [TracePackets.NdisProvider] = "Microsoft-Windows-NDIS-PacketCapture",
        [new("22fb2cd6-0e7b-422b-a0c7-2fad1fd0e716")] = "Microsoft-Windows-Kernel-Process",
        [new("9a280ac0-c8e0-11d1-84e2-00c04fb998a2")] = "TcpIp",
        [new("bf3a50c5-a9c9-4988-a005-2df0b7c80f80")] = "UdpIp",
        [new("68fdd900-4a3e-11d1-84f4-0000f80464e3")] = "EventTrace",
        [new("3d6fa8d0-fe05-11d0-9dda-00c04fd7ba7c")] = "Process",
        [new("3d6fa8d1-fe05-11d0-9dda-00c04fd7ba7c")] = "Thread",
    };

    public static (CaptureFileFacts Facts, TraceEvidence Evidence) Run(
        Stream stream, CaptureInput input, FileHash hash, CaptureFeed feed, CaptureFilter filter, SeverityLimits limits, Action<long> progress, CancellationToken cancellation)
    {
        long length = stream.CanSeek ? stream.Length : 0;
        using EtlReader reader = Open(stream, input.Path);

        // Of a packed trace, as if it were read from the packed file.
        double share = length > 0 ? (double)length / Math.Max(1, reader.Counts.FileBytes) : 1;
        reader.Progress = read => progress((long)(read * share));
        EtwLayouts layouts = reader.ReadLayouts(CancellationToken.None);
        TcpEventDecoder decoder = new(layouts);
        TraceAnalyser analyser = new();
        TracePackets packets = new();
        TraceFilter chosen = new(filter);
        Dictionary<(Guid Provider, bool Classic, int Number, byte Version, int Schema), long> counts = [];
        long origin = reader.Clock.StartUtc is { } start ? (start - DateTimeOffset.UnixEpoch).Ticks * 100 : 0;
        (long first, long last) = (long.MaxValue, long.MinValue);
        bool cancelled = false;
        try
        {
            reader.Read(
                (in EtwEventHeader header, ReadOnlySpan<byte> payload) =>
                {
                    (Guid, bool, int, byte, int) key = (header.Provider, header.Kind != EtwEventKind.Manifest, header.EventNumber, header.Version, header.InlineSchema);
                    System.Runtime.InteropServices.CollectionsMarshal.GetValueRefOrAddDefault(counts, key, out _)++;
                    (first, last) = (Math.Min(first, header.TimeNs), Math.Max(last, header.TimeNs));
                    analyser.Names.Take(in header, payload);
                    if (packets.TryTake(in header, payload, out TracePacket packet))
                    {
                        feed.Add(new CapturedFrame { Number = feed.Packets + 1, TimeNs = origin + header.TimeNs, LinkType = packet.LinkType, InterfaceId = 0, OriginalLength = packet.OriginalLength, Data = packet.Data });
                    }
                    else if (decoder.TryDecode(in header, payload, out TcpEvent e, out EtwPayload fields))
                    {
                        e.TimeNs += origin;
                        if (chosen.Passes(in e))
                        {
                            analyser.Take(in e, in fields);
                        }
                    }
                },
                cancellation);
        }
        catch (OperationCanceledException)
        {
            cancelled = true;
        }

        if (!cancelled && reader.Counts is { Events: 0, Located: [EtlDamage fault, ..] })
        {
            throw new ExpectedFailureException(ExitCode.Input, $"{input.Path}: nothing could be read; at byte {fault.Offset} {fault.Detail}.");
        }

        analyser.Finish();
        if (feed.Packets > 0 && analyser.Connections.Count == 0)
        {
            feed.MakePoint();
        }

        EtlCounts read = reader.Counts;
        TraceEvidence evidence = new() { Path = input.Path, Analyser = analyser, Limits = limits, Decoded = decoder.Counts, Counts = read, HasPackets = feed.Packets > 0, Cancelled = cancelled };
        SortedDictionary<string, long> skipped = feed.Skipped();
        AddTo(skipped, "packets at further components", packets.Repeated);
        AddTo(skipped, "packets in parts or malformed", packets.Malformed);
        AddTo(skipped, "events that do not fit their layout", evidence.Decoded.Undecoded);
        AddTo(skipped, "events without a known layout", evidence.Decoded.Unknown);
        foreach ((EtlDamageKind kind, long count) in read.Damages)
        {
            AddTo(skipped, "trace: " + System.Text.Json.JsonNamingPolicy.KebabCaseLower.ConvertName(kind.ToString()), count);
        }

        EtlDamage? damage = read.Located.FirstOrDefault(d => d.Kind is not (EtlDamageKind.Message or EtlDamageKind.Order or EtlDamageKind.EventForm));
        return (new CaptureFileFacts
        {
            Path = input.Path,
            Sha256 = cancelled ? null : hash.Value(),
            Kind = "etl",
            Packets = feed.Packets,
            Segments = feed.Decoder.CountOf(DecodeOutcome.Tcp),
            Bytes = read.FileBytes,
            Skipped = skipped,
            Damage = damage is null ? null : new CaptureDamage(damage.Offset, damage.Detail),
            FirstNs = last >= first ? origin + first : null,
            LastNs = last >= first ? origin + last : null,
            ClockStepNs = Math.Max(1, 1_000_000_000 / reader.Clock.Frequency),
            Events = read.Events,
            EventsLost = read.EventsLost,
            BuffersLost = read.BuffersLost,
            EventCounts = [.. counts.OrderByDescending(c => c.Value).ThenBy(c => c.Key.Provider).ThenBy(c => c.Key.Number)
                .ThenBy(c => c.Key.Schema)
                .Select(c => new TraceEventCount(
                    reader.InlineNames(c.Key.Schema).Provider is { Length: > 0 } own ? own : NameOf(c.Key.Provider, layouts),
                    c.Key.Classic,
                    c.Key.Number,
                    c.Key.Version,
                    c.Value,
                    c.Key.Schema > 0 ? Given(reader.InlineNames(c.Key.Schema).Event) : Given(layouts.Find(c.Key.Provider, c.Key.Classic, c.Key.Number, c.Key.Version)?.Name)))],
        }, evidence);
    }

    private static void AddTo(SortedDictionary<string, long> skipped, string reason, long count)
    {
        if (count > 0)
        {
            skipped[reason] = count;
        }
    }

    private static string? Given(string? name) => string.IsNullOrEmpty(name) ? null : name;

    private static string NameOf(Guid provider, EtwLayouts layouts) =>
        Known.TryGetValue(provider, out string? name) ? name
        : layouts.FromTrace.FirstOrDefault(l => l.Provider == provider && l.ProviderName.Length > 0)?.ProviderName ?? provider.ToString();

    private static EtlReader Open(Stream stream, string path)
    {
        using (stream)
        {
            if (stream is FileStream file)
            {
                return EtlReader.Open(path == "-" ? file.Name : path);
            }

            using MemoryStream whole = new();
            stream.CopyTo(whole);
            return EtlReader.Open(whole.ToArray(), path);
        }
    }
}
