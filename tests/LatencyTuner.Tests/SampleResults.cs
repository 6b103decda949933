using System.Net;
using LatencyTuner.Core.Analysis.Stalls;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Histograms;
using LatencyTuner.Core.Measurement;
using LatencyTuner.Core.Measurement.Experiments;
using LatencyTuner.Core.Measurement.Loops;
using LatencyTuner.Core.Measurement.Protocol;
using LatencyTuner.Core.Sockets;

namespace LatencyTuner.Tests;

/// <summary>Results of measurements and experiments that never happened, with latencies in milliseconds.</summary>
internal static class SampleResults
{
    internal const double RttMs = 1;

    internal static readonly DateTimeOffset Started = new(2026, 3, 1, 12, 0, 0, TimeSpan.Zero);

    internal static readonly ToolIdentity Tool = new("0.1.0", "TestOS", "TestRuntime", 4);

    internal static readonly MeasurementTarget Target = new("app01:7117", new IPEndPoint(IPAddress.Parse("192.0.2.7"), 7117), null, false);

    internal static readonly MeasurementTarget Loopback = new("loopback", new IPEndPoint(IPAddress.Loopback, 7117), null, true);

    internal static LatencyHistogram Histogram(params IEnumerable<double>[] parts)
    {
        LatencyHistogram histogram = new();
        foreach (double ms in parts.SelectMany(p => p))
        {
            histogram.Record((long)(ms * 1e6));
        }

        return histogram;
    }

    internal static IEnumerable<double> Repeat(int count, double ms) => Enumerable.Repeat(ms, count);

    internal static EndState State(bool? noDelay, AckEffect ack = AckEffect.Default) => new(noDelay, ack, 65536, 65536, false, null, true);

    internal static (KernelCounters Start, KernelCounters End) Counters(long pureAcks = 0, long retransmitted = 0, long? minRttUs = 1000, long? rttUs = null)
    {
        KernelCounters start = new()
        {
            Source = "TCP_INFO",
            RttUs = minRttUs,
            MinRttUs = minRttUs,
            RetransmittedSegments = 5,
            RetransmittedBytes = 50,
            RwndLimitedUs = 0,
            SndbufLimitedUs = 0,
            BusyUs = 0,
            SegmentsOut = 10,
            SegmentsIn = 10,
            DataSegmentsOut = 8,
            DataSegmentsIn = 8,
            MssBytes = 1448,
        };
        return (start, start with
        {
            RttUs = rttUs ?? minRttUs,
            RetransmittedSegments = 5 + retransmitted,
            RetransmittedBytes = 50 + (64 * retransmitted),
            RwndLimitedUs = 2000,
            SndbufLimitedUs = 1000,
            BusyUs = 9000,
            SegmentsOut = 110,
            SegmentsIn = 110 + pureAcks,
            DataSegmentsOut = 108,
            DataSegmentsIn = 108,
        });
    }

    /// <summary>A measurement whose response times are the given ones, in time blocks of up to 50.</summary>
    internal static MeasurementResult Measured(
        IReadOnlyList<double> ms, MeasurementPlan? plan = null, MeasurementTarget? target = null, bool? noDelay = null, bool? peerNoDelay = true,
        (KernelCounters, KernelCounters)? local = null, (KernelCounters, KernelCounters)? peer = null, double residenceMs = 0,
        AckEffect ack = AckEffect.Default, Func<double, bool>? first = null)
    {
        MeasurementResult result = new(target ?? Target, plan ?? new MeasurementPlan(), Started)
        {
            Sent = ms.Count,
            Exchanges = ms.Count,
            Elapsed = TimeSpan.FromMilliseconds(Math.Max(ms.Sum(), 1)),
            ConnectTime = TimeSpan.FromMilliseconds(RttMs),
            FirstSamples = ms.Take(4096).Select(v => (long)(v * 1e6)).ToArray(),
            LocalState = State(noDelay, ack),
            PeerState = State(peerNoDelay),
            ResidenceNs = (long)(residenceMs * 1e6 * ms.Count),
            ResponderSoftware = "0.1.0",
            ResponderOs = "TestOS",
        };
        foreach (double v in ms)
        {
            result.Totals.Response.Record((long)(v * 1e6));
            result.Totals.Transport.Record((long)((v - residenceMs) * 1e6));
            result.Totals.Service?.Record((long)(v * 1e6));
            result.Totals.Lateness?.Record(1000);
            if (first?.Invoke(v) ?? true)
            {
                result.Totals.First?.Record((long)((v - residenceMs) * 1e6));
            }
        }

        long at = 0;
        foreach (double[] chunk in ms.Chunk(50))
        {
            result.Blocks.Append(Histogram(chunk), at, at + 1_000_000);
            at += 1_000_000;
        }

        if (local is { } l)
        {
            result.LocalCounters.Add(l);
        }

        if (peer is { } p)
        {
            result.PeerCounters.Add(p);
        }

        return result;
    }

    internal static readonly MeasurementPlan SplitPlan = new() { Workload = new Workload { Pattern = WritePattern.Split, Writes = [16, 48], NoDelay = false } };

    /// <summary>An experiment; a cell that is not filled has no requests.</summary>
    internal static ExperimentResult Experiment(IReadOnlyList<ExperimentCell>? cells = null) =>
        new(Target, new ExperimentPlan { Cells = cells ?? ExperimentCell.All }, Started) { Rounds = 5, ConnectTime = TimeSpan.FromMilliseconds(RttMs) };

    internal static ExperimentResult With(
        this ExperimentResult experiment, ExperimentCell cell, IReadOnlyList<double> ms, long? pureAcks = null, long retransmitted = 0,
        AckEffect? ack = null, double residenceMs = 0)
    {
        AckEffect own = cell.Ack == AckBehaviour.Immediate ? ack ?? AckEffect.Immediate : AckEffect.Default;
        AckEffect other = cell.PeerAck == AckBehaviour.Immediate ? ack ?? AckEffect.Immediate : AckEffect.Default;
        MeasurementResult result = Measured(ms, residenceMs: residenceMs);
        result.LocalState = State(cell.NoDelay, own);
        result.PeerState = State(cell.PeerNoDelay, other);
        if (pureAcks is { } acks)
        {
            result.LocalCounters.Add(Counters(cell.SplitReply ? 0 : acks, cell.SplitReply ? 0 : retransmitted));
            result.PeerCounters.Add(Counters(cell.SplitReply ? acks : 0, cell.SplitReply ? retransmitted : 0));
        }

        experiment[cell]!.Add(result);
        return experiment;
    }

    /// <summary>All cells healthy: one round trip, two where the second write waits for an immediate ACK.</summary>
    internal static ExperimentResult Healthy(
        bool counters = true, AckEffect ack = AckEffect.Immediate, int n = 40, IReadOnlyList<ExperimentCell>? cells = null, double residenceMs = 0)
    {
        ExperimentResult experiment = Experiment(cells);
        foreach (CellResult cell in experiment.Cells)
        {
            bool waits = (cell.Cell.SplitRequest && !cell.Cell.NoDelay) || (cell.Cell.SplitReply && !cell.Cell.PeerNoDelay);
            experiment.With(
                cell.Cell, Times(n, (waits ? 2 * RttMs : RttMs) + residenceMs), counters ? (waits ? n : 0) : null, ack: ack, residenceMs: residenceMs);
        }

        return experiment;
    }

    /// <summary>
    /// Requests in two writes stall for a timer of the server (or replies for one of the client's); immediate ACKs cure it where they take effect.
    /// </summary>
    internal static ExperimentResult Stalled(double timerMs, bool replies = false, bool counters = true, AckEffect ack = AckEffect.Immediate, int n = 40)
    {
        ExperimentResult experiment = Experiment();
        foreach (CellResult cell in experiment.Cells)
        {
            ExperimentCell c = cell.Cell;
            bool waits = replies ? c.SplitReply && !c.PeerNoDelay : c.SplitRequest && !c.NoDelay;
            bool cured = (replies ? c.Ack : c.PeerAck) == AckBehaviour.Immediate && ack != AckEffect.Unsupported;
            double ms = waits ? (cured ? 2 * RttMs : timerMs + (2 * RttMs)) : RttMs;
            experiment.With(c, Times(n, ms), counters ? (waits ? n : 0) : null, ack: ack);
        }

        return experiment;
    }

    /// <summary>Times that differ by some microseconds, as real ones do.</summary>
    internal static double[] Times(int n, double ms) => [.. Enumerable.Range(0, n).Select(i => ms + (0.003 * (i % 7)))];

    internal static MeasurementFacts Facts(MeasurementResult result) => MeasurementFacts.From(result);
}
