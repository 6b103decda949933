using System.Globalization;
using LatencyTuner.Core.Capture;
using LatencyTuner.Core.Etw;

namespace LatencyTuner.Core.Recordings.Traces;

/// <summary>
/// Writes the packets of a trace as pcapng. The first pass reads the names of processes and interfaces, which are often at the end of a trace, and where
/// packets were dropped; the second pass writes the packets.
/// </summary>
public static class TraceConversion
{
    /// <summary>Converts a trace.</summary>
    /// <param name="reader">The trace.</param>
    /// <param name="output">The stream to which the capture is written.</param>
    /// <param name="cancellation">Stops the conversion.</param>
    /// <returns>
    /// Number of packets written, of repeated appearances of packets left out, of packets that could not be read, and of those that this machine dropped.
    /// </returns>
    public static (long Packets, long Repeated, long Malformed, long Dropped) Run(EtlReader reader, Stream output, CancellationToken cancellation)
    {
        ArgumentNullException.ThrowIfNull(reader);
        ProcessNames names = new();
        TraceInterfaces interfaces = new();
        PacketOwners owners = new(new TcpEventDecoder(reader.ReadLayouts(cancellation)));
        TracePacketReader first = new();
        reader.Read(
            (in EtwEventHeader header, ReadOnlySpan<byte> payload) =>
            {
                first.TryTake(in header, payload, out _);
                names.Take(in header, payload);
                interfaces.Take(in header, payload);
                owners.Take(in header, payload);
            },
            cancellation);

        TracePacketReader packets = new();
        PcapngWriter writer = new(output);
        writer.Begin();
        Dictionary<(Guid Provider, uint Interface), (string Name, string Description)> places = [];
        long origin = reader.Clock.StartUtc is { } start ? (start - DateTimeOffset.UnixEpoch).Ticks * 100 : 0;
        long written = 0;
        reader.Read(
            (in EtwEventHeader header, ReadOnlySpan<byte> payload) =>
            {
                if (packets.TryTake(in header, payload, out TracePacket packet))
                {
                    if (!places.TryGetValue((header.Provider, packet.Interface), out (string Name, string Description) place))
                    {
                        places.Add((header.Provider, packet.Interface), place = interfaces.Of(header.Provider, packet.Interface));
                    }

                    CapturedFrame frame = new()
                    {
                        Number = ++written,
                        TimeNs = origin + header.TimeNs,
                        LinkType = packet.LinkType,
                        OriginalLength = packet.OriginalLength,
                        Data = packet.Data,
                    };
                    string comment = Comment(owners.Of(in frame), header.ProcessId, names);
                    if (packet.Ordinal > 0 && first.DropOf.TryGetValue(packet.Ordinal, out (ushort Component, uint Reason) drop))
                    {
                        comment += $"{(comment.Length > 0 ? "; " : "")}dropped by {interfaces.Of(header.Provider, drop.Component).Name}, reason {drop.Reason}";
                    }

                    writer.Write(in frame, place.Name, place.Description, comment, packet.Direction);
                }
            },
            cancellation);
        return (written, packets.Repeated, packets.Malformed, packets.DropOf.Count);
    }

    /// <summary>The process that owns the connection, when events show it; otherwise the process that was running, which may be another one.</summary>
    private static string Comment(IReadOnlyList<uint> owners, int running, ProcessNames names) =>
        owners.Count > 0 ? "process " + string.Join(" and ", owners.Select(o => Named(o, names)))
        : running >= 0 ? "running process " + Named((uint)running, names)
        : "";

    private static string Named(uint id, ProcessNames names) =>
        names.Find(id) is { } name ? $"{id} ({name})" : id.ToString(CultureInfo.InvariantCulture);
}
