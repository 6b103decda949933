using LatencyTuner.Core.Analysis.Loads;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Measurement.Scheduling;
using LatencyTuner.Core.Reporting.Model;
using LatencyTuner.Core.Reporting.UnderLoad;
using LatencyTuner.Core.Statistics;

namespace LatencyTuner.Tests.Reporting;

internal static partial class SampleReports
{
    private static LatencyFigures Around(double medianMs, long n, double effective) => new()
    {
        Count = n,
        EffectiveCount = effective,
        MinUs = medianMs * 900,
        MeanUs = medianMs * 1020,
        StdevUs = medianMs * 100,
        P10Us = medianMs * 950,
        P50Us = medianMs * 1000,
        P90Us = medianMs * 1150,
        P99Us = medianMs * 1300,
        MaxUs = medianMs * 1600,
        Intervals = new Dictionary<string, IntervalFigures>
        {
            ["p50Us"] = new() { LowUs = medianMs * 970, HighUs = medianMs * 1030 },
            ["p90Us"] = new() { LowUs = medianMs * 1100, HighUs = medianMs * 1200 },
            ["p99Us"] = new() { LowUs = medianMs * 1250 },
            ["p99_9Us"] = new() { LowUs = medianMs * 1300, AtLeastUs = medianMs * 1600 },
        },
    };

    /// <summary>A deep queue in front of 10 Mbit/s, filled upwards.</summary>
    internal static UnderLoadReport DeepQueue
    {
        get
        {
            LoadFacts facts = new()
            {
                Up = true,
                Connections = 8,
                Bytes = 11_750_000,
                Elapsed = TimeSpan.FromSeconds(10),
                BytesPerSecond = [[1.1e6, 1.2e6, 1.2e6, 1.2e6]],
                BusyShare = 1,
                RwndLimitedShare = 0,
                SndbufLimitedShare = 0.01,
                CwndLimitedShare = 0.99,
                RetransmittedSegments = 31,
                RttUs = 380_000,
                MinRttUs = 5_100,
                Client = [new HostUse { Processors = 4, MachineBusyShare = 0.03, ProcessProcessors = 0.04 }],
            };
            LoadJudgement judgement = LoadJudgement.Of(facts);
            AddedLatency added = new(430e6, 401e6, 452e6);
            HostFigures calm = new()
            {
                Processors = 4,
                MachineBusyShare = 0.03,
                ProcessProcessors = 0.04,
                DelayCount = 4_900,
                DelayP50Us = 2,
                DelayP99Us = 64,
                DelayMaxUs = 215,
            };
            return new()
            {
                Complete = true,
                StartedUtc = new DateTimeOffset(2026, 11, 21, 8, 0, 0, TimeSpan.Zero).UtcDateTime,
                DurationMs = 27_400,
                Target = new()
                {
                    Name = "db1",
                    Address = "10.0.0.12",
                    Port = 7117,
                    Family = "IPv4",
                    ResponderVersion = "latencytuner 0.1.0",
                    ResponderOs = "Windows Server 2022",
                },
                Direction = "up",
                Options = new()
                {
                    SizeBytes = 64,
                    ReplySizeBytes = 64,
                    WritesBytes = [64],
                    RatePerSecond = 100,
                    Arrivals = "constant",
                    DurationMs = 10_000,
                    InFlight = 4096,
                    NoDelay = true,
                    PeerNoDelay = true,
                },
                LoadLimitBytes = 16L << 30,
                Idle = Around(5.3, 1000, 940),
                Loaded = Around(380, 1000, 61),
                Added = new()
                {
                    MeanUs = 381_000,
                    P50Us = 375_000,
                    P90Us = 430_000,
                    Intervals = new Dictionary<string, IntervalFigures> { ["p90Us"] = new() { LowUs = 401_000, HighUs = 452_000 } },
                },
                Bufferbloat = new() { Grade = "F", GradeLow = "F", GradeHigh = "F", Scale = BufferbloatScale.Text, Because = judgement.Because },
                Responsiveness = new()
                {
                    IdleRpm = 11_200,
                    LoadedRpm = 158,
                    LoadedLowRpm = 150,
                    LoadedHighRpm = 167,
                    Method = "60 s divided by the mean of the fastest 95 % of the timed requests.",
                },
                Load =
                [
                    new()
                    {
                        Direction = "up",
                        Connections = 8,
                        Bytes = facts.Bytes,
                        DurationMs = 10_000,
                        ThroughputBytesPerSecond = 1_175_000,
                        Saturated = judgement.Saturated,
                        LimitedBy = judgement.LimitedBy,
                        Because = judgement.Because,
                        BusyShare = 1,
                        RwndLimitedShare = 0,
                        SndbufLimitedShare = 0.01,
                        CwndLimitedShare = 0.99,
                        RetransmittedSegments = 31,
                        RttUs = 380_000,
                        MinRttUs = 5_100,
                    },
                ],
                Phases =
                [
                    new() { Kind = "idle", StartMs = 1_667, DurationMs = 5_000, ResponseTime = Around(5.3, 500, 480), Client = calm },
                    new()
                    {
                        Kind = "loaded",
                        StartMs = 8_400,
                        DurationMs = 10_000,
                        ResponseTime = Around(380, 1000, 61),
                        UpBytesPerSecond = 1_175_000,
                        Client = calm,
                        Server = calm,
                    },
                    new() { Kind = "idle", StartMs = 22_400, DurationMs = 5_000, ResponseTime = Around(5.3, 500, 470), Client = calm },
                ],
                Findings = [LoadBufferbloatRule.Evaluate([(facts, judgement)], added, 5.3e6, 381e6, 387.6e6, 1000, "db1", SeverityLimits.Standard)!],
                Notes = ["The timed requests share one connection that carries no load."],
            };
        }
    }
}
