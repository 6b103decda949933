using System.Globalization;
using LatencyTuner.Core.Capture;
using LatencyTuner.Core.Etw;

namespace LatencyTuner.Core.Analysis.Traces;

/// <summary>Writes the packets of a trace as pcapng.</summary>
public static class TraceConversion
{
    /// <summary>Converts.</summary>
    /// <param name="reader">The trace.</param>
    /// <param name="output">Where the capture goes.</param>
    /// <param name="cancellation">Ends the reading.</param>
    /// <returns>Packets written, appearances of the same packets left out, and packets that could not be read.</returns>
    public static (long Packets, long Repeated, long Malformed) Run(EtlReader reader, Stream output, CancellationToken cancellation)
    {
        ArgumentNullException.ThrowIfNull(reader);
        TracePackets packets = new();
        PcapngWriter writer = new(output);
        writer.Begin();
        ProcessNames names = new();
        long origin = reader.Clock.StartUtc is { } start ? (start - DateTimeOffset.UnixEpoch).Ticks * 100 : 0;
        long written = 0;
        reader.Read(
            (in EtwEventHeader header, ReadOnlySpan<byte> payload) =>
            {
                names.Take(in header, payload);
                if (packets.TryTake(in header, payload, out TracePacket packet))
                {
                    string at = header.Provider == TracePackets.PktMonProvider ? "pktmon component" : "interface index";
                    writer.Write(origin + header.TimeNs, packet.LinkType, string.Create(CultureInfo.InvariantCulture, $"{at} {packet.Interface}"), packet.OriginalLength, packet.Data, Running(header.ProcessId, names));
                    written++;
                }
            },
            cancellation);
        return (written, packets.Repeated, packets.Malformed);
    }

    /// <summary>The process in whose time the packet passed, which need not be the one it belongs to.</summary>
    private static string Running(int processId, ProcessNames names) =>
        processId < 0 ? "" : names.Find((uint)processId) is { } name ? $"running process {processId} ({name})" : $"running process {processId}";
}
