using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Reporting.Analysis;

namespace LatencyTuner.Tests.Reporting;

/// <summary>An analysis of two captures of the write-write-read stall against a timer of 200 ms.</summary>
internal static partial class SampleReports
{
    private const string Orders = "10.0.0.21:50122 > 10.0.0.5:1433";

    internal static AnalysisReport Analysis => new()
    {
        Complete = false,
        Text = "At the client 10.0.0.21: 7.60 s lost on 2 connections, 99 % of the active time, 38 stalls.",
        Inputs =
        [
            new()
            {
                Path = "client.pcap", Sha256 = new string('a', 64), Kind = "pcap", Packets = 180, Bytes = 30_812, StartUtc = Started, DurationMs = 4050.3,
                ClockStepNs = 1,
                Skipped = new Dictionary<string, long> { ["not IP"] = 4 },
            },
            new()
            {
                Path = "server.pcap", Kind = "pcap", Packets = 171, Bytes = 29_000, StartUtc = Started, DurationMs = 4050.9, ClockStepNs = 1000,
                Damage = "At byte 28900 the file ends after 60 of the 100 bytes of a frame.", Lost = new Dictionary<string, long> { ["packets"] = 9 },
                EventCounts = [new() { Provider = "none", Id = 1, Version = 2, Count = 3 }],
            },
        ],
        Hosts =
        [
            new()
            {
                Address = "10.0.0.5", AckTimerMs = 200, AckTimerModel = "fixed", AckTimerConsistentWith = ["Windows (registry default, template Compat)"],
                Connections = 1,
                ImmediateAcks = 2, LateAcks = 38, PiggybackAcks = 44, AcksAbove100Ms = 38, LateP50Ms = 200.03, LateMaxMs = 200.9, Harmful = 38,
            },
            new() { Address = "10.0.0.21", Connections = 1, ImmediateAcks = 2, SecondSegmentAcks = 1, PiggybackAcks = 19 },
        ],
        Connections =
        [
            new()
            {
                Id = Orders, Client = new() { Address = "10.0.0.21", Port = 50122 }, Server = new() { Address = "10.0.0.5", Port = 1433 },
                StartUtc = Started.UtcDateTime, DurationMs = 4037,
                Packets = 90, Bytes = 8000, Transactions = 20, Vantage = "client", BaseRttMs = 0.709, ActiveMs = 3830, StallMs = 3800.5,
                StallsMs = new Dictionary<string, double> { ["nagle-delayed-ack"] = 3800, ["nagle-hold"] = 0.5 }, TransactionP50Ms = 201.7,
                TransactionMaxMs = 203.5,
                ServerP50Ms = 0.23, ClientP50Ms = 0.11, ServerAcksAbove100Ms = 19, RoundTripIntervalMs = 40,
                RoundTrips = [
                    new() { AtMs = 0, LongestUs = 808 }, new() { AtMs = 200, LongestUs = 200_717 }, new() { AtMs = 240, LongestUs = 201_012 },
                    new() { AtMs = 320, LongestUs = 200_800 }],
            },
        ],
        ConnectionCount = 1,
        Transactions =
        [
            new()
            {
                Connection = Orders, Index = 3, StartUtc = Started.UtcDateTime, StartMs = 605.1, DurationMs = 202.563, ServerMs = 0.984, ServerLowMs = 0.9,
                ServerHighMs = 0.99, StallMs = 200.01,
                Stall = "nagle-delayed-ack", NetworkMs = 1.569, ClientAfterMs = 0.2, RequestBytes = 200, ResponseBytes = 200, FirstFrame = 142, LastFrame = 150,
            },
        ],
        TransactionCount = 20,
        Observations = [new() { What = "median delay of late pure ACKs beyond the path", Host = "10.0.0.5", Value = 200.03, Unit = "ms", N = 38 }],
        Findings = [
            SplitWrites with
            {
                Confidence = Confidence.Likely,
                Connections = [Orders],
                Process = null,
                CostMs = 7600,
                CostShare = 0.991,
                Count = 38,
                Fired = null,
                Harmful = null,
            }],
        Example = new()
        {
            Title = "A typical hold",
            Connection = Orders,
            Steps =
            [
                new() { AtMs = 0, From = "client", Frame = 142, Text = "sends 120 bytes, seq 3401" },
                new()
                {
                    AtMs = 200.717,
                    From = "server",
                    Frame = 147,
                    Text = "acknowledges up to 3521, without data",
                    Because = "the server's delayed-ACK timer delayed it by 200.0 ms",
                },
                new()
                {
                    AtMs = 200.755,
                    From = "client",
                    Frame = 148,
                    Text = "sends the 80 bytes that waited, seq 3521",
                    Because = "Nagle's algorithm at the client held them until that ACK",
                },
            ],
        },
        Pairs =
        [
            new()
            {
                Connection = Orders, ClientCapture = "client.pcap", ServerCapture = "server.pcap", Packets = 86, ClockOffsetMs = 12.5,
                ClockUncertaintyMs = 0.31,
                ToServerP50Ms = 0.35, ToServerMaxMs = 1.2, ToClientP50Ms = 0.36, ToClientMaxMs = 2.1, LostToServer = 1,
            },
        ],
        Notes = ["1 of 20 transactions took 100 ms or more; only those are listed."],
    };
}
