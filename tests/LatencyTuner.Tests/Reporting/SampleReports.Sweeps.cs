using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Reporting.Sweep;
using LatencyTuner.Core.Statistics;

namespace LatencyTuner.Tests.Reporting;

/// <content>Sweeps over sizes.</content>
internal static partial class SampleReports
{
    private const int KiB = 1024;

    internal static SweepReport BufferSweep => Sweep with
    {
        Dimensions = ["receive-buffer"],
        Pattern = "split",
        Options = Healthy.Options with
        {
            Requested = Healthy.Options.Requested with
            {
                SizeBytes = 64 * KiB,
                WritesBytes = [.. Enumerable.Repeat(8 * KiB, 8)],
                NoDelay = true,
                PeerNoDelay = true,
            },
        },
        Load = new() { MessageBytes = 8 * KiB, Messages = 8, MessagesPerWrite = 1 },
        Points =
        [
            Sized(null, 128 * KiB, 6_000),
            Sized(512, 2304, 90_800) with
            {
                N = 31,
                P99Us = null,
                Intervals = new Dictionary<string, IntervalFigures>
                {
                    ["p50Us"] = Between(89_000, 93_000),
                    ["p99Us"] = new() { LowUs = 93_000, AtLeastUs = 105_000 },
                },
            },
            Sized(4 * KiB, 8 * KiB, 24_100), Sized(16 * KiB, 32 * KiB, 7_800), Sized(64 * KiB, 128 * KiB, 6_100), Sized(256 * KiB, 512 * KiB, 6_050),
            new()
            {
                N = 0,
                ReceiveBufferBytes = new() { Requested = 64 << 20 },
                FailedBecause = "app01:7117 refused the request: the client requested a receive buffer of 67108864 bytes.",
            },
        ],
        Knee = new() { Dimension = "receive-buffer", Value = 16 * KiB, Low = 16 * KiB, High = 64 * KiB, From = 512, To = 256 * KiB },
        GoesBad = [new() { Dimension = "receive-buffer", Value = 16 * KiB, Ratio = 7_800 / 6_000.0 }],
        Findings = [],
        Notes = ["A receive buffer that is set disables receive window auto-tuning."],
    };

    internal static SweepReport WindowSweep => BufferSweep with
    {
        Dimensions = ["window", "connections"],
        ResumedRounds = 3,
        Points =
        [
            .. from window in new long?[] { null, 64 * KiB, 1 << 20 }
               from connections in new[] { 1, 2, 8 }
               select Sized((int?)window, window is { } w ? (int)(2 * w) : 128 * KiB, window == 64 * KiB ? 21_500 : 8_000 + (connections * 100)) with
               {
                   WindowBytes = window is { } bytes ? bytes : "dynamic",
                   Connections = connections,
               },
        ],
        Knee = null,
        GoesBad = [new() { Dimension = "window", Value = 64 * KiB, Connections = 1, Ratio = 21_500 / 8_100.0 }],
        Knees = [],
        Findings =
        [
            new()
            {
                Id = "LT161", Cause = Cause.LoadInversion, Side = Side.Server, Confidence = Confidence.Likely, Severity = Severity.Info, Count = 1,
                CostShare = 0.6,
                For = ["with a receive window of 65,536 bytes, 2 clients reach 86.4 requests/s together and one alone 41.7 requests/s: 2.1 times as "
                    + "many, in every round"],
                Recommendation = "Leave the receive window to the system.",
            },
        ],
    };

    internal static SweepReport StreamSweep => WindowSweep with
    {
        Protocol = "http2",
        Pattern = "stream",
        Load = new() { MessageBytes = 4 * KiB, Messages = 50_000, MessagesPerWrite = 1, FetchedAhead = true, OneConnection = false },
        ResumedRounds = 0,
        Points =
        [
            .. from window in new long?[] { null, 64 * KiB, 1 << 20 }
               from connections in new[] { 1, 4 }
               select Sized(null, 0, window == 64 * KiB ? 62_500_000 : 4_100_000 + (connections * 900_000)) with
               {
                   ReceiveBufferBytes = null,
                   WindowBytes = window is { } bytes ? bytes : "dynamic",
                   Connections = connections,
                   ThroughputBytesPerSecond = connections * (window == 64 * KiB ? 3.28e6 : 41e6 / connections),
                   StreamWindowBytes = window ?? 1 << 20,
                   RoundTripUs = 20_100,
                   FetchShare = 0.03,
                   SendCallShare = 0.02,
                   SendWaitShare = window == 64 * KiB ? 0.95 : 0.6,
                   FetchOverlapShare = 0.9,
                   FetchOverlapSeenShare = 0.97,
                   RwndLimitedShare = 0,
               },
        ],
        GoesBad = [new() { Dimension = "window", Value = 64 * KiB, Connections = 1, Ratio = 62_500 / 5_000.0 }],
        Findings =
        [
            new()
            {
                Id = "LT111", Cause = Cause.ReceiveWindow, Side = Side.Client, Confidence = Confidence.Likely, Severity = Severity.Info, Count = 2,
                CostShare = 0.92,
                For = [
                    "the HTTP/2 stream window limits, not the socket: 65,536 bytes in each round trip of 20.1 ms allow a stream at most 3.3 MB/s; it got "
                    + "3.3 MB/s"],
                Recommendation = "Leave SocketsHttpHandler.InitialHttp2StreamWindowSize unset.",
            },
        ],
        Notes = ["The responder (Kestrel) sends and this end (HttpClient) receives."],
    };

    private static SweepPoint Sized(int? requested, int effective, double p50) => Point(1000, p50, p50 * 1.3) with
    {
        Rate = null,
        ReceiveBufferBytes = new() { Requested = requested, Effective = effective },
        ThroughputPerSecond = 1e6 / p50,
        ThroughputLowPerSecond = 0.9e6 / p50,
        ThroughputHighPerSecond = 1.1e6 / p50,
        ThroughputBytesPerSecond = 1e6 / p50 * 64 * KiB,
        SendBlockedShare = 0.002,
        RwndLimitedShare = p50 > 7_000 ? 0.43 : 0,
        SndbufLimitedShare = 0,
        BusyShare = 0.97,
        SegmentsPerRequest = 46,
        LongestSendUs = 310,
    };
}
