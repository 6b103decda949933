using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Histograms;
using LatencyTuner.Core.Reporting.Measurement;
using LatencyTuner.Core.Reporting.Model;
using LatencyTuner.Core.Reporting.Sweep;
using LatencyTuner.Core.Statistics;

namespace LatencyTuner.Tests.Reporting;

/// <summary>Reports with the figures of the write-write-read stall as measured on Linux loopback and a 1 ms path.</summary>
internal static partial class SampleReports
{
    internal static readonly DateTimeOffset Started = new(2026, 11, 20, 3, 4, 5, TimeSpan.Zero);

    internal static readonly Finding SplitWrites = new()
    {
        Id = "LT101",
        Cause = Cause.NagleDelayedAck,
        Side = Side.Client,
        Host = "10.0.0.21",
        Process = "orders.exe",
        Confidence = Confidence.Confirmed,
        Severity = Severity.Error,
        Count = 300,
        Fired = 300,
        Harmful = 300,
        CostMs = 13194,
        CostShare = 0.9993,
        Connections = ["10.0.0.21:50122 -> 10.0.0.5:7117"],
        For =
        [
            "300 of 300 split requests waited 44.0 ms; the same requests in one write take 1.13 ms.",
            "The client's kernel counts one pure ACK per request more than with one write.",
        ],
        Against = ["The server was seen only through its responder, not by a capture on its side."],
        Recommendation = "Write each request with one send call.",
    };

    internal static Finding Exposure =>
        SplitWrites with { Severity = Severity.Info, Confidence = Confidence.Likely, Process = null, CostMs = null, CostShare = null };

    internal static EnvironmentFigures Environment => new()
    {
        ToolVersion = "0.1.0",
        Os = "Windows Server 2022 (20348)",
        Runtime = ".NET 8.0.27",
        Processors = 8,
        Timer = "high-resolution",
        TimerStepUs = 500,
        GcCount = 2,
        GcPauseMs = 1.234,
    };

    internal static LatencyFigures Fast => new()
    {
        Count = 48_213,
        EffectiveCount = 31_400,
        MinUs = 13.9,
        MeanUs = 16.2,
        StdevUs = 7.83,
        P10Us = 14.3,
        P50Us = 15.1,
        P90Us = 19.8,
        P99Us = 31.4,
        P999Us = 88.2,
        P9999Us = 317,
        MaxUs = 1204,
        Intervals = new Dictionary<string, IntervalFigures>
        {
            ["meanUs"] = Between(16.1, 16.3),
            ["p10Us"] = Between(14.2, 14.3),
            ["p50Us"] = Between(15.0, 15.2),
            ["p90Us"] = Between(19.7, 20.0),
            ["p99Us"] = Between(30.2, 32.9),
            ["p99_9Us"] = Between(81, 97.4),
            ["p99_99Us"] = new() { LowUs = 251, HighUs = null },
        },
    };

    internal static LatencyFigures Stalled => new()
    {
        Count = 300,
        EffectiveCount = 300,
        MinUs = 43_210,
        MeanUs = 43_980,
        StdevUs = 4_120,
        P10Us = 43_900,
        P50Us = 44_000,
        P90Us = 44_310,
        P99Us = null,
        MaxUs = 84_900,
        Intervals = new Dictionary<string, IntervalFigures>
        {
            ["meanUs"] = Between(43_500, 44_460),
            ["p50Us"] = Between(43_990, 44_010),
            ["p90Us"] = Between(44_120, 45_300),
            ["p99Us"] = new() { LowUs = 45_300, AtLeastUs = 84_900 },
        },
    };

    internal static MeasurementReport Loopback => new()
    {
        Complete = true,
        StartedUtc = Started.UtcDateTime,
        Target = new()
        {
            Name = "loopback",
            Address = "127.0.0.1",
            Port = 50121,
            Family = "IPv4",
            ResponderVersion = "0.1.0",
            ResponderOs = "Windows Server 2022 (20348)",
        },
        Pattern = "single",
        Options = new()
        {
            Requested = new() { SizeBytes = 64, ReplySizeBytes = 64, WritesBytes = [64], DurationMs = 1000, Seed = 1 },
            Effective = new()
            {
                Local = new() { NoDelay = false, Ack = "default", SendBufferBytes = 65536, ReceiveBufferBytes = 65536 },
                Peer = new() { NoDelay = false, Ack = "default", SendBufferBytes = 65536, ReceiveBufferBytes = 65536 },
            },
        },
        Sent = 48_213,
        Received = 48_213,
        Errors = 0,
        DurationMs = 1000.2,
        ThroughputPerSecond = 48_203,
        ResponseTime = Fast,
        ServiceTime = Fast,
        Attribution = new() { ClientUs = 4.1, ServerUs = 2.2, NetworkUs = 9.9 },
        Kernel = new()
        {
            Local = new()
            {
                Source = "SIO_TCP_INFO v1",
                RttUs = 14,
                MinRttUs = 9,
                RetransmittedBytes = 0,
                RwndLimitedMs = 0,
                CwndLimitedMs = 0,
                MssBytes = 65495,
            },
            Peer = new()
            {
                Source = "SIO_TCP_INFO v1",
                RttUs = 15,
                MinRttUs = 9,
                RetransmittedBytes = 0,
                RwndLimitedMs = 0,
                CwndLimitedMs = 0,
                MssBytes = 65495,
            },
        },
        Stalls = new() { Count = 0, Share = 0, TotalMs = 0, ThresholdMs = 9 },
        SendBlockedShare = 0.21,
        LongestSendUs = 301,
        ConnectUs = 84,
        Environment = Environment,
        Runs = [
            new()
            {
                Run = 0,
                StartMs = 0,
                DurationMs = 1000.2,
                Count = 48_213,
                Histogram = Convert.ToBase64String(new LatencyHistogram().EncodeCompressedV2()),
            }],
    };

    internal static MeasurementReport Healthy => Loopback with
    {
        Target = new()
        {
            Name = "app01:7117",
            Address = "10.0.0.5",
            Port = 7117,
            Family = "IPv4",
            ResponderVersion = "0.1.0",
            ResponderOs = "Windows Server 2019 (17763)",
        },
        Sent = 887,
        Received = 887,
        ThroughputPerSecond = 887,
        ResponseTime = Remote,
        ServiceTime = Remote,
        Attribution = new() { ClientUs = 6.3, ServerUs = 4, NetworkUs = 1115 },
        ConnectUs = 1090,
    };

    internal static LatencyFigures Remote => new()
    {
        Count = 887,
        EffectiveCount = 887,
        MinUs = 1032,
        MeanUs = 1125,
        StdevUs = 61,
        P10Us = 1075,
        P50Us = 1125,
        P90Us = 1180,
        P99Us = 1402,
        MaxUs = 1511,
        Intervals = new Dictionary<string, IntervalFigures>
        {
            ["meanUs"] = Between(1121, 1129),
            ["p50Us"] = Between(1119, 1131),
            ["p90Us"] = Between(1170, 1195),
            ["p99Us"] = Between(1310, 1511),
            ["p99_9Us"] = new() { LowUs = 1402, AtLeastUs = 1511 },
        },
    };

    internal static MeasurementReport Split => Healthy with
    {
        Pattern = "split",
        Options = Healthy.Options with
        {
            Requested = new() { SizeBytes = 64, ReplySizeBytes = 64, WritesBytes = [16, 48], Count = 300, NoDelay = false, PeerNoDelay = false },
        },
        Planned = 300,
        Sent = 300,
        Received = 300,
        DurationMs = 13_220,
        ThroughputPerSecond = 22.6,
        ResponseTime = Stalled,
        ServiceTime = Stalled,
        Attribution = new() { ClientUs = 12, ServerUs = 30, NetworkUs = 43_938 },
        Kernel = new()
        {
            Local = new()
            {
                Source = "TCP_INFO",
                RttUs = 20_010,
                MinRttUs = 1020,
                RetransmittedSegments = 0,
                RetransmittedBytes = 0,
                SndbufLimitedMs = 0,
                RwndLimitedMs = 0,
                BusyMs = 13_210,
                SegmentsOut = 603,
                SegmentsIn = 903,
                PureAcksIn = 300,
                PureAcksOut = 3,
                MssBytes = 1448,
            },
            Peer = new()
            {
                Source = "TCP_INFO",
                RttUs = 1100,
                MinRttUs = 1020,
                RetransmittedSegments = 0,
                SegmentsOut = 903,
                SegmentsIn = 603,
                PureAcksIn = 3,
                PureAcksOut = 300,
                MssBytes = 1448,
            },
        },
        Stalls = new() { Count = 300, Share = 1, ClusterMs = 40, MedianMs = 42.9, TotalMs = 12_861, ThresholdMs = 9 },
        SendBlockedShare = 0.004,
        Findings = [SplitWrites],
    };

    internal static MeasurementReport OpenLoop => Loopback with
    {
        Options = Loopback.Options with
        {
            Requested = new()
            {
                SizeBytes = 64,
                ReplySizeBytes = 4096,
                WritesBytes = [64],
                RatePerSecond = 10_000,
                Arrivals = "poisson",
                DurationMs = 5000,
                Connections = 4,
                NoDelay = true,
                SendBufferBytes = 16_384,
                Ack = "immediate",
                Spin = true,
                Pin = [2, 3],
            },
            Effective = new()
            {
                Local = new() { NoDelay = true, Ack = "unknown", SendBufferBytes = 32_768, Spin = true, Pin = [2, 3] },
                Peer = new() { NoDelay = false, Ack = "default", Spin = false },
            },
        },
        Planned = 50_000,
        ResponseTime = Fast with
        {
            P99Us = 512.5,
            Intervals = Fast.Intervals.Where(i => i.Key != "p99Us").Append(new("p99Us", Between(498, 1020))).ToDictionary(i => i.Key, i => i.Value),
        },
        SendLateness = new()
        {
            Count = 48_213,
            MinUs = 0,
            MeanUs = 2.1,
            StdevUs = 14,
            P10Us = 0.1,
            P50Us = 0.4,
            P90Us = 3.1,
            P99Us = 41,
            P999Us = 480,
            P9999Us = 970,
            MaxUs = 1190,
        },
        Errors = 1,
        Environment = Environment with { ClockStepsBack = 2 },
        Notes = ["Poisson arrivals: some requests are planned while the previous one is under way."],
    };

    internal static SweepReport Sweep => new()
    {
        Complete = true,
        StartedUtc = Started.UtcDateTime,
        Target = Healthy.Target,
        Dimensions = ["rate"],
        Pattern = "split",
        Options = Split.Options with { Requested = Split.Options.Requested with { RatePerSecond = 10, Arrivals = "constant" } },
        Points =
        [
            Point(10, 44_000, 84_000), Point(20, 43_900, 60_100), Point(50, 43_000, 50_000), Point(100, 21_000, 45_200), Point(200, 9_800, 44_100),
            Point(500, 3_900, 14_100),
            Point(1000, 1_700, 6_300), Point(2000, 1_210, 3_050), Point(5000, 1_180, 4_900),
            Point(20_000, 9_400, 88_000) with { RateHeld = false, ThroughputPerSecond = 12_310, SendBlockedShare = 0.41, LongestSendUs = 41_700 },
        ],
        Knee = new() { Dimension = "rate", Value = 5000, Low = 2000, High = 5000, From = 10, To = 20_000 },
        Findings =
        [
            new()
            {
                Id = "LT161", Cause = Cause.LoadInversion, Side = Side.Client, Confidence = Confidence.Likely, Severity = Severity.Warning, Count = 7,
                CostMs = 42_000, CostShare = 0.15,
                For = ["The median falls from 44.0 ms at 10/s to 1.21 ms at 2,000/s: something waits for a timer when little is under way."],
                Recommendation = "latencytuner diagnose app01:7117",
            },
        ],
    };

    internal static MeasurementReport Unanswered => Healthy with
    {
        Target = new() { Name = "app02:7117" },
        Complete = false,
        EndedBecause = "app02:7117 refused the connection.",
        Options = Healthy.Options with { Effective = null },
        Sent = 0,
        Received = 0,
        ThroughputPerSecond = 0,
        DurationMs = 0,
        ResponseTime = new() { Count = 0 },
        ServiceTime = new() { Count = 0 },
        Attribution = new(),
        Kernel = new(),
        ConnectUs = null,
        SendBlockedShare = null,
        LongestSendUs = null,
    };

    private static IntervalFigures Between(double low, double high) => new() { LowUs = low, HighUs = high };

    private static SweepPoint Point(double rate, double p50, double p99) => new()
    {
        Rate = rate,
        Rounds = 3,
        N = (long)(rate * 30),
        MeanUs = p50 * 1.04,
        P50Us = p50,
        P90Us = p50 * 1.3,
        P99Us = p99,
        P999Us = rate < 100 ? null : p99 * 1.3,
        MaxUs = p99 * 1.7,
        ThroughputPerSecond = rate,
        SendBlockedShare = 0,
        RwndLimitedShare = 0,
        Intervals = new Dictionary<string, IntervalFigures>
        {
            ["p50Us"] = Between(p50 * 0.99, p50 * 1.01),
            ["p99Us"] = Between(p99 * 0.9, p99 * 1.2),
            ["p99_9Us"] = rate < 100 ? new() { LowUs = p99, AtLeastUs = p99 * 1.7 } : Between(p99 * 1.1, p99 * 1.6),
        },
    };
}
