using LatencyTuner.Core.Capture;
using LatencyTuner.Tests.Settings;
using Xunit;

namespace LatencyTuner.Tests.Capture;

/// <summary>The captures beside the project: real ones, and ones with a known cause.</summary>
internal static class Samples
{
    public static string Truth(string name) => Find("truth", name);

    public static string Pcap(string name) => Find(Path.Combine("samples", "pcap"), name);

    /// <summary>Every packet of a capture with what it is, by connection.</summary>
    public static (List<(TcpConnection Connection, List<PacketRecord> Records)> Connections, ConnectionTotals Totals) Follow(string path)
    {
        CollectingSink sink = new();
        ConnectionTracker tracker = new(sink);
        SegmentDecoder decoder = new();
        using ICaptureReader reader = CaptureContainer.Open(File.OpenRead(path), path);
        while (reader.TryRead(out CapturedFrame frame))
        {
            if (decoder.Decode(in frame, out TcpSegment segment) == DecodeOutcome.Tcp)
            {
                tracker.Add(in segment);
            }
        }

        tracker.Finish();
        return (sink.Done, new ConnectionTotals(tracker.Connections, decoder.CountOf(DecodeOutcome.Tcp), reader.ClockStepNs, reader.Damage));
    }

    private static string Find(string folder, string name)
    {
        string path = Path.Combine(CatalogueEntries.Shared(), folder, name);
        Assert.SkipUnless(File.Exists(path), "The captures are not beside the project; set LATENCYTUNER_SHARED to the folder that has them.");
        return path;
    }

    internal sealed record ConnectionTotals(long Connections, long Segments, long ClockStepNs, CaptureDamage? Damage);

    private sealed class CollectingSink : IConnectionSink
    {
        private readonly Dictionary<long, List<PacketRecord>> _open = [];

        public List<(TcpConnection, List<PacketRecord>)> Done { get; } = [];

        public int Judge(TcpConnection connection, bool last)
        {
            if (!_open.TryGetValue(connection.Number, out List<PacketRecord>? records))
            {
                _open.Add(connection.Number, records = []);
            }

            records.AddRange(connection.Records);
            if (last)
            {
                Done.Add((Copy(connection), records));
            }

            return 0;
        }

        /// <summary>The object is used again for another connection.</summary>
        private static TcpConnection Copy(TcpConnection connection) =>
            (TcpConnection)typeof(TcpConnection).GetMethod(
                "MemberwiseClone", System.Reflection.BindingFlags.Instance | System.Reflection.BindingFlags.NonPublic)!.Invoke(connection, null)!;
    }
}
