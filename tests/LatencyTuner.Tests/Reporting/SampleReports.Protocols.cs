using LatencyTuner.Core.Reporting.Model;
using LatencyTuner.Core.Reporting.Protocols;
using LatencyTuner.Core.Statistics;

namespace LatencyTuner.Tests.Reporting;

internal static partial class SampleReports
{
    /// <summary>Ping, connect and HTTP against one host that has no TLS.</summary>
    internal static ProtocolsReport Protocols => new()
    {
        Complete = true,
        StartedUtc = new DateTimeOffset(2026, 11, 21, 8, 0, 0, TimeSpan.Zero).UtcDateTime,
        DurationMs = 60_000,
        RatePerSecond = 2.5,
        Seed = 1,
        Targets =
        [
            new() { Target = Web("icmp://web2", null), Protocol = "icmp", Sent = 150, Answered = 150, Errors = 0, Phases = [Phase("echo", 210)] },
            new()
            {
                Target = Web("tcp://web2:80", 80),
                Protocol = "tcp",
                Sent = 150,
                Answered = 149,
                Errors = 1,
                Phases = [Phase("connect", 260)],
                Failures = [new() { Reason = "timeout", Count = 1, Example = "tcp://web2:80 did not answer the connection attempt within 10 s." }],
            },
            new()
            {
                Target = Web("http://web2/", 80),
                Protocol = "http/1.1",
                Connection = "kept",
                Sent = 150,
                Answered = 148,
                Errors = 0,
                Skipped = 2,
                Reconnected = 2,
                Phases = [Phase("first byte", 4_100), Phase("whole reply", 4_160)],
                Statuses = new Dictionary<string, long> { ["200"] = 148 },
            },
            new()
            {
                Target = Web("https://web2/", 443),
                Protocol = "https/2",
                Connection = "new",
                Sent = 150,
                Answered = 0,
                Errors = 150,
                Failures = [new() { Reason = "tls", Count = 150, Example = "https://web2/ did not complete the TLS handshake." }],
            },
        ],
        Notes = ["All targets were asked in turn."],
    };

    private static TargetDescription Web(string name, int? port) => new() { Name = name, Address = "10.0.0.12", Port = port, Family = "IPv4" };

    private static ProtocolPhase Phase(string name, double medianUs) => new()
    {
        Name = name,
        Latency = new()
        {
            Count = 148,
            EffectiveCount = 140,
            MinUs = medianUs * 0.8,
            MeanUs = medianUs * 1.1,
            StdevUs = medianUs * 0.2,
            P10Us = medianUs * 0.9,
            P50Us = medianUs,
            P90Us = medianUs * 1.4,
            MaxUs = medianUs * 9,
            Intervals = new Dictionary<string, IntervalFigures>
            {
                ["p50Us"] = new() { LowUs = medianUs * 0.97, HighUs = medianUs * 1.04 },
                ["p99Us"] = new() { LowUs = medianUs * 2, AtLeastUs = medianUs * 9 },
                ["p99_9Us"] = new() { LowUs = medianUs * 2, AtLeastUs = medianUs * 9 },
            },
        },
    };
}
