using System.Net;
using System.Security.Cryptography;
using LatencyTuner.Core.Analysis.Recordings;
using LatencyTuner.Core.Capture;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Recordings;
using Xunit;

namespace LatencyTuner.Tests.Capture;

/// <summary>Ended connections are judged on another thread: each once, in order, whatever the threads do.</summary>
public sealed class ConnectionsThatEnd
{
    private const int Connections = 3_000;
    private const int Open = 10;

    private static readonly IpAddressValue s_client = IpAddressValue.From(IPAddress.Parse("10.0.0.1"));
    private static readonly IpAddressValue s_server = IpAddressValue.From(IPAddress.Parse("10.0.0.2"));

    [Fact]
    public void Judge_EachOnce_InTheOrderOfTheirEnds_NeverTwoAtOnce()
    {
        Watching sink = new();
        ConnectionTracker tracker = new(sink);

        Feed(tracker);
        tracker.Finish();

        Assert.Equal(Enumerable.Range(0, Connections).Select(n => (long)n), sink.Judged);
        Assert.False(sink.Overlapped);
        Assert.All(sink.Records, n => Assert.Equal(5, n));
    }

    [Fact]
    public void Handshakes_CountFromTheirPlaceOn()
    {
        Watching sink = new();
        ConnectionTracker tracker = new(sink);

        Feed(tracker);
        tracker.Finish();

        // A connection ends where its ports are used again: with the handshakes of the nine others that are open.
        Assert.Equal(Enumerable.Range(0, Connections).Select(n => Math.Min(n + Open, Connections)), sink.HandshakesBefore);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1_000)]
    [InlineData(Connections - 1)]
    public void Failure_OfTheSink_ReachesTheCaller(long failing)
    {
        Watching sink = new() { Failing = failing };
        ConnectionTracker tracker = new(sink);

        InvalidOperationException failure = Assert.Throws<InvalidOperationException>(() =>
        {
            Feed(tracker);
            tracker.Finish();
        });

        Assert.Equal("as asked", failure.Message);
        Assert.Equal(failing, sink.Judged.Count);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Input_IsHashedWhereItsDocumentIsKept(bool kept)
    {
        byte[] capture = File.ReadAllBytes(Samples.Truth("nagle_delack_t200.client.pcap"));
        foreach (Func<Stream> open in (Func<Stream>[])[() => new MemoryStream(capture), () => new Piped(capture)])
        {
            RecordingFileFacts facts = RecordingAnalysis.Run(
                [new RecordingInput("x", open, kept)], RecordingFilter.All, SeverityLimits.Standard, null, CancellationToken.None).Files[0];

            Assert.Equal(kept ? Convert.ToHexString(SHA256.HashData(capture)).ToLowerInvariant() : null, facts.Sha256);
        }
    }

    /// <summary>A handshake and a reset each, on the ports of the tenth connection before.</summary>
    private static void Feed(ConnectionTracker tracker)
    {
        for (int n = 0; n < Connections; n++)
        {
            ushort port = (ushort)(20_000 + (n % Open));
            long time = 1_000_000_000L + (n * 10_000_000L);
            uint initial = (uint)(1 + (n * 1_000));
            tracker.Add(Segment(time, port, initial, 0, TcpFlags.Syn, false));
            tracker.Add(Segment(time + 1_000_000, port, 1, initial + 1, TcpFlags.Syn | TcpFlags.Ack, true));
            tracker.Add(Segment(time + 2_000_000, port, initial + 1, 2, TcpFlags.Ack, false));
            tracker.Add(Segment(time + 3_000_000, port, initial + 1, 2, TcpFlags.Ack | TcpFlags.Fin, false));
            tracker.Add(Segment(time + 4_000_000, port, 2, initial + 2, TcpFlags.Ack | TcpFlags.Rst, true));
        }
    }

    private static TcpSegment Segment(long timeNs, ushort port, uint sequence, uint acknowledgement, TcpFlags flags, bool fromServer) => new()
    {
        TimeNs = timeNs,
        Source = fromServer ? s_server : s_client,
        Destination = fromServer ? s_client : s_server,
        SourcePort = fromServer ? (ushort)80 : port,
        DestinationPort = fromServer ? port : (ushort)80,
        Sequence = sequence,
        Acknowledgement = acknowledgement,
        Flags = flags,
        Window = 500,
    };

    private sealed class Watching : IConnectionSink
    {
        private int _inside;

        public List<long> Judged { get; } = [];
        public List<int> Records { get; } = [];
        public List<int> HandshakesBefore { get; } = [];
        public int Handshakes { get; private set; }
        public bool Overlapped { get; private set; }
        public long Failing { get; init; } = -1;

        public int Judge(TcpConnection connection, bool last)
        {
            Overlapped |= Interlocked.Increment(ref _inside) != 1;
            if (connection.Number == Failing)
            {
                throw new InvalidOperationException("as asked");
            }

            Thread.SpinWait(connection.Number % 100 == 0 ? 20_000 : 10);
            Judged.Add(connection.Number);
            Records.Add(connection.RecordCount);
            HandshakesBefore.Add(Handshakes);
            Interlocked.Decrement(ref _inside);
            return 0;
        }

        public void Connected(ShownHandshake handshake)
        {
            Assert.Equal(1_000_000, handshake.ClientNs);
            Handshakes++;
        }
    }

    /// <summary>A stream that cannot be read from its beginning again.</summary>
    private sealed class Piped(byte[] bytes) : MemoryStream(bytes)
    {
        public override bool CanSeek => false;
    }
}
