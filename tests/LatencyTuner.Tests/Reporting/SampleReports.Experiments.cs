using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Reporting.Check;
using LatencyTuner.Core.Reporting.Comparison;
using LatencyTuner.Core.Reporting.Diagnosis;
using LatencyTuner.Core.Statistics;

namespace LatencyTuner.Tests.Reporting;

/// <summary>Experiments and checks.</summary>
internal static partial class SampleReports
{
    internal static DiagnosisReport Experiment => new()
    {
        Complete = true,
        StartedUtc = Started.UtcDateTime,
        Target = Healthy.Target,
        Rounds = 5,
        SizeBytes = 64,
        WritesBytes = [16, 48],
        Cells =
        [
            Cell("single", 1125, 1402, 0, acks: 0),
            Cell("split", 44_000, null, 1, acks: 1),
            Cell("split", 1159, 1240, 0, noDelay: true, acks: 1),
            Cell("split", 2212, 2510, 0, peerAck: "immediate", acks: 1),
            Cell("split", 1161, 1244, 0, noDelay: true, peerNoDelay: true, ack: "immediate", peerAck: "immediate", acks: 1),
            Cell("split-reply", 44_010, null, 1, acks: 1),
            Cell("split-reply", 1115, 1310, 0, peerNoDelay: true, acks: 1),
            Cell("split-reply", 0, null, 0, ack: "immediate") with { N = 0, P50Us = null, NotMeasuredBecause = "the client cannot set its ACK behaviour" },
        ],
        Diagnosis = new()
        {
            Cause = Cause.NagleDelayedAck,
            Side = Side.Client,
            AckTimerSide = Side.Server,
            ClusterMs = 40,
            TimerModel = "fixed",
            CostUsPerRequest = 42_875,
            Confidence = Confidence.Confirmed,
            AppliesTo = "applications that write a request with two send calls and then wait for the reply",
            Text =
                "An application that writes its request in two parts waits 44.0 ms here instead of 1.13 ms: Nagle at the client holds the second part "
                + "until the server's "
                + "delayed ACK. Only a capture or an ETW trace of an application proves that it is of this kind.",
            For = [
                "All 300 split requests waited; none of 300 in one write did.", "With TCP_NODELAY at the client the wait is gone.",
                "With immediate ACKs at the server the wait is gone, one round trip remains."],
            Against = ["TCP_NODELAY at the server changed nothing, as expected of a client-side hold.", "Sizes above one segment were not tested."],
        },
        ReplyDiagnosis = new()
        {
            Cause = Cause.NagleDelayedAck,
            Side = Side.Server,
            AckTimerSide = Side.Client,
            ClusterMs = 40,
            TimerModel = "tick",
            CostUsPerRequest = 42_885,
            Confidence = Confidence.Likely,
            AppliesTo = "servers that write a reply with two send calls",
            Text = "A server that writes its reply in two parts makes the client wait 44.0 ms.",
        },
        Fixes =
        [
            new()
            {
                Id = "one-write",
                What = "Write each request with one send call.",
                Where = "client application",
                P50UsBefore = 44_000,
                P50UsAfter = 1125,
                P99UsAfter = 1402,
                Saves = 0.9744,
                N = 300,
            },
            new()
            {
                Id = "no-delay",
                What = "Set TCP_NODELAY on the client's socket.",
                Where = "client application",
                P50UsBefore = 44_000,
                P50UsAfter = 1159,
                P99UsAfter = 1240,
                Saves = 0.9737,
                N = 300,
                Note = "Sends one small segment more per request.",
            },
            new()
            {
                Id = "ack-immediate",
                What = "Let the server acknowledge at once.",
                Where = "server socket or host",
                P50UsBefore = 44_000,
                P50UsAfter = 2212,
                P99UsAfter = 2510,
                Saves = 0.9497,
                N = 300,
                Note = "One extra round trip remains.",
            },
            new() { Id = "one-write-reply", What = "Write each reply with one send call.", Where = "server application", N = 0 },
        ],
        Findings = [Exposure],
        Notes = ["On Windows, loopback may hide the stall: a result without a stall proves nothing."],
    };

    internal static DiagnosisReport NoStall => Experiment with
    {
        Cells = [Cell("single", 1125, 1402, 0), Cell("split", 1159, 1240, 0)],
        Diagnosis = new()
        {
            Cause = Cause.None,
            Confidence = Confidence.Likely,
            AppliesTo = "",
            Text = "Neither one write nor two stall on this path (n = 600).",
        },
        ReplyDiagnosis = null,
        Fixes = [],
        Findings = [],
        Notes = [],
    };

    internal static CheckReport Pass => new()
    {
        Complete = true,
        Verdict = VerdictKind.Pass,
        Text = "app01:7117 answers in 1.13 ms (99th percentile 1.40 ms) without a stall.",
        Reasons = ["The 99th percentile of app01:7117 is 1.40 ms (1.31 to 1.51 ms), under the limit of 5 ms.", "No request in 887 stalled."],
        NextSteps = ["latencytuner check app01:7117 --max-p99 5ms --format junit --output check.xml"],
        StartedUtc = Started.UtcDateTime,
        Thresholds = new() { MaxP99Us = 5000, MaxStallShare = 0, FailOn = "error" },
        Measurements = [Loopback, Healthy],
        Diagnosis = Experiment,
        Settings = new() { Audited = true },
        Findings = [Exposure],
    };

    internal static CheckReport Fail => Pass with
    {
        Verdict = VerdictKind.Fail,
        Text = "Requests to app01:7117 wait 44.0 ms each because the client splits them into two writes with Nagle on.",
        Reasons = [
            "The finding LT101 is an error and costs 13.2 s.", "The 99th percentile is at least 84.9 ms, above the limit of 5 ms.",
            "300 of 300 requests stalled; the limit is 0 %."],
        NextSteps = ["Write each request with one send call, then run this check again.", "latencytuner diagnose app01:7117"],
        Measurements = [Loopback, Split],
        Diagnosis = Experiment,
        Findings = [SplitWrites, Exposure],
        Settings = new() { Audited = false, NotAuditedBecause = "this machine does not run Windows." },
    };

    internal static CheckReport CannotTell => Pass with
    {
        Complete = false,
        EndedBecause = "Ended by Ctrl-C after 12 requests.",
        Verdict = VerdictKind.CannotTell,
        Text = "12 requests are too few for a verdict on app01:7117.",
        Reasons = ["A 99th percentile needs 299 requests or more; 12 were measured."],
        NextSteps = ["latencytuner check app01:7117 --duration 10s"],
        Thresholds = new() { FailOn = "error" },
        Measurements =
        [
            Loopback,
            Healthy with
            {
                Complete = false, EndedBecause = "Ended by Ctrl-C.", Sent = 12, Received = 12,
                ResponseTime = new()
                {
                    Count = 12,
                    MinUs = 1032,
                    MeanUs = 1130,
                    P50Us = 1125,
                    MaxUs = 1322,
                    Intervals = new Dictionary<string, IntervalFigures>
                    {
                        ["p50Us"] = Between(1040, 1300),
                        ["p99Us"] = new() { LowUs = 1300, AtLeastUs = 1322 },
                    },
                },
            },
        ],
        Diagnosis = null,
        Settings = null,
        Findings = [],
    };

    internal static CheckReport Unreachable => CannotTell with
    {
        EndedBecause = "app02:7117 refused the connection: is 'latencytuner serve' running there?",
        Text = "app02:7117 could not be measured.",
        Reasons = ["app02:7117 refused the connection."],
        NextSteps = ["latencytuner serve --bind 0.0.0.0 --token-file token.txt   # on app02"],
        Measurements = [Loopback, Unanswered],
    };

    private static DiagnosisCell Cell(
        string pattern, double p50, double? p99, double stalls, bool noDelay = false, bool peerNoDelay = false, string ack = "default",
        string peerAck = "default", double? acks = null) => new()
        {
            Pattern = pattern,
            NoDelay = noDelay,
            PeerNoDelay = peerNoDelay,
            Ack = ack,
            PeerAck = peerAck,
            N = 300,
            P50Us = p50,
            P99Us = p99,
            StallShare = stalls,
            StallMedianMs = stalls > 0 ? p50 / 1000 : null,
            PureAcksPerRequest = acks,
            Intervals = new Dictionary<string, IntervalFigures>
            {
                ["p50Us"] = Between(p50 * 0.998, p50 * 1.003),
                ["p99Us"] = p99 is { } tail ? Between(tail * 0.94, tail * 1.09) : new() { LowUs = p50, AtLeastUs = 84_900 },
            },
        };

    internal static ComparisonReport Comparison => new()
    {
        Complete = true,
        A = "before.json",
        B = "after.json",
        CountA = 300,
        CountB = 48_213,
        RunsA = 5,
        RunsB = 5,
        Result = "better",
        Text = "after.json is better: the median fell by 42.9 ms (42.8 to 42.9 ms).",
        Quantiles =
        [
            new()
            {
                Quantile = 0.5,
                AUs = 44_000,
                BUs = 1125,
                DeltaUs = -42_875,
                LowUs = -42_910,
                HighUs = -42_840,
                PValue = 0.0001,
                LimitUs = 2200,
                Verdict = "better",
            },
            new()
            {
                Quantile = 0.9,
                AUs = 44_310,
                BUs = 1180,
                DeltaUs = -43_130,
                LowUs = -44_100,
                HighUs = -42_900,
                PValue = 0.0004,
                LimitUs = 2215,
                Verdict = "better",
            },
            new() { Quantile = 0.99, AUs = 1400, BUs = 1402, DeltaUs = 2, LowUs = -35, HighUs = 41, PValue = 0.8, LimitUs = 70, Verdict = "same" },
            new()
            {
                Quantile = 0.999,
                AUs = 1400,
                BUs = 1502,
                DeltaUs = 102,
                LowUs = -5_035,
                HighUs = 9_041,
                PValue = 0.8,
                LimitUs = 70,
                Verdict = "cannot-tell",
            },
        ],
        Notes = ["Each side has five independent parts."],
    };
}
