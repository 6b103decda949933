using LatencyTuner.Core.Analysis;
using LatencyTuner.Core.Analysis.Stalls;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Histograms;
using LatencyTuner.Core.Measurement;
using LatencyTuner.Core.Measurement.Loops;
using LatencyTuner.Core.Reporting.Model;
using LatencyTuner.Core.Statistics;

namespace LatencyTuner.Core.Reporting.Measurement;

/// <summary>Builds the <c>measurement</c> document.</summary>
public static class MeasurementReportBuilder
{
    /// <summary>Maximum number of parts stored for a later comparison.</summary>
    private const int MostParts = 32;

    /// <summary>Builds the document.</summary>
    /// <param name="result">The results of the measurement.</param>
    /// <param name="tool">The program that measured.</param>
    /// <param name="limits">The limits from which a finding is a warning or an error; null for the default limits.</param>
    /// <param name="gate">The gate that decides the exit code; null when everything passes.</param>
    public static MeasurementReport From(MeasurementResult result, ToolIdentity tool, SeverityLimits? limits = null, Gate? gate = null)
    {
        limits ??= SeverityLimits.Standard;
        MeasurementFacts facts = MeasurementFacts.From(result, limits.LongStallMs);
        double seconds = result.Elapsed.TotalSeconds;
        bool oneWay = result.Plan.Workload.Pattern == WritePattern.Stream;
        StallAnalysis stalls = facts.Stalls;
        IReadOnlyList<Finding> findings = MeasurementFindings.Of(facts, limits);
        return Judge(new MeasurementReport
        {
            Complete = result.Complete,
            EndedBecause = result.EndedBecause ?? (result.Cancelled ? "It was cancelled." : null),
            StartedUtc = result.StartedUtc.UtcDateTime,
            Target = FigureBuilder.Target(result.Target, result.ResponderSoftware, result.ResponderOs),
            Pattern = PatternName(result.Plan.Workload.Pattern),
            Options = new OptionPair { Requested = Requested(result.Plan), Effective = Effective(result, facts) },
            Planned = result.Planned,
            Sent = result.Sent,
            Received = result.Received,
            Errors = Math.Max(result.Sent - result.Received, 0),
            DurationMs = result.Elapsed.TotalMilliseconds,
            ThroughputPerSecond = seconds > 0 ? result.Received / seconds : 0,
            ThroughputBytesPerSecond = oneWay && result.StreamTime > TimeSpan.Zero ? result.StreamBytes / result.StreamTime.TotalSeconds : null,
            ResponseTime = LatencyFigures.From(LatencySummary.From(result.Response, result.Blocks, result.FirstSamples.Span)),
            ServiceTime = LatencyFigures.From(
                LatencySummary.From(result.Service, result.IsOpenLoop ? null : result.Blocks, result.IsOpenLoop ? [] : result.FirstSamples.Span)),
            SendLateness = result.Lateness is { } lateness ? LatencyFigures.From(LatencySummary.From(lateness, null, [])) : null,
            Attribution = AttributionBuilding.Of(result, findings.Any(f => f.Cause is Cause.NagleDelayedAck or Cause.NagleHold) ? stalls : null),
            Kernel = new KernelPair { Local = FigureBuilder.Kernel(facts.Local), Peer = FigureBuilder.Kernel(facts.Peer) },
            Stalls = new StallFigures
            {
                Count = stalls.Count,
                Share = stalls.Share,
                ClusterMs = stalls.Timer?.ClusterMs,
                MedianMs = stalls.MedianHoldNs / 1e6,
                TotalMs = stalls.LostNs / 1e6,
                ThresholdMs = stalls.ThresholdNs / 1e6,
            },
            SendBlockedShare = seconds > 0 ? Math.Clamp(result.SendNs / 1e9 / seconds / result.Plan.Connections, 0, 1) : null,
            LongestSendUs = LatencyFigures.Us(result.LongestSendNs),
            ConnectUs = result.ConnectTime?.TotalMicroseconds,
            Environment = new EnvironmentFigures
            {
                ToolVersion = tool.Version,
                Os = tool.Os,
                Runtime = tool.Runtime,
                Processors = tool.Processors,
                Timer = result.Timer is { } timer ? timer.IsHighResolution ? EnvironmentFigures.HighResolution : EnvironmentFigures.Tick : null,
                TimerStepUs = result.Timer?.StepNs / 1e3,
                GcCount = result.GcCount,
                GcPauseMs = result.GcPause.TotalMilliseconds,
                ClockStepsBack = result.ClockStepsBack,
            },
            Runs = Parts(result),
            Findings = findings,
            Notes = [.. MeasurementNotes.Of(result)],
        }, gate ?? Gate.Open);
    }

    /// <summary>Adds the verdict to a document.</summary>
    /// <param name="report">The document.</param>
    /// <param name="gate">The gate that decides the exit code.</param>
    internal static MeasurementReport Judge(MeasurementReport report, Gate gate) => report with
    {
        Judgement = new MeasurementOutcome
        {
            Target = report.Target.Name,
            Sent = report.Sent,
            Received = report.Received,
            Complete = report.Complete,
            EndedBecause = report.EndedBecause,
            IsOneWay = MeasurementPage.IsOneWay(report),
            BytesPerSecond = report.ThroughputBytesPerSecond,
            DurationMs = report.DurationMs,
            Response = report.ResponseTime,
            Findings = report.Findings,
        }.Judge(gate),
        Failing = gate.Failing(report.Findings),
    };

    internal static string PatternName(WritePattern pattern) => pattern switch
    {
        WritePattern.Split => "split",
        WritePattern.Stream => "stream",
        _ => "single",
    };

    internal static RequestedOptions Requested(MeasurementPlan plan) => new()
    {
        SizeBytes = plan.Workload.RequestSize,
        ReplySizeBytes = plan.Workload.ReplySize,
        WritesBytes = plan.Workload.Writes,
        GapUs = plan.Workload.Gap.TotalMicroseconds,
        PeerWrites = plan.Workload.PeerWrites,
        PeerThinkUs = plan.Workload.PeerThink.TotalMicroseconds,
        RatePerSecond = plan.RatePerSecond,
        Arrivals = plan.RatePerSecond is null ? null : plan.Arrivals == Arrivals.Poisson ? "poisson" : "constant",
        DurationMs = plan.Duration?.TotalMilliseconds,
        Count = plan.Count,
        WarmupMs = plan.Warmup.TotalMilliseconds,
        Connections = plan.Connections,
        InFlight = plan.RatePerSecond is null ? 1 : plan.InFlight,
        NoDelay = plan.Workload.NoDelay,
        PeerNoDelay = plan.Workload.PeerNoDelay,
        Ack = AckName(plan.Workload.Ack),
        PeerAck = AckName(plan.Workload.PeerAck),
        SendBufferBytes = plan.Workload.SendBuffer,
        ReceiveBufferBytes = plan.Workload.ReceiveBuffer,
        PeerSendBufferBytes = plan.Workload.PeerSendBuffer,
        PeerReceiveBufferBytes = plan.Workload.PeerReceiveBuffer,
        Spin = plan.Workload.Spin,
        Pin = plan.Pin,
        Seed = plan.Seed,
    };

    internal static string AckName(AckBehaviour ack) => ack == AckBehaviour.Immediate ? "immediate" : "default";

    internal static EffectiveOptions? Effective(MeasurementResult result, MeasurementFacts facts) =>
        result.LocalState is { } local && result.PeerState is { } peer
            ? new EffectiveOptions
            {
                Local = FigureBuilder.End(local, facts.Local, facts.Exchanges, result.Plan.Pin.Take(1).ToList()),
                Peer = FigureBuilder.End(peer, facts.Peer, facts.Exchanges, []),
            }
            : null;

    private static List<RunFigures> Parts(MeasurementResult result)
    {
        if (result.Runs.Count > 2)
        {
            double each = result.Elapsed.TotalMilliseconds / result.Runs.Count;
            return [.. result.Runs.Select((run, i) => Part(run, i, i * each, each))];
        }

        // Fewer than 3 runs: time blocks stand in for runs, a few neighbouring blocks together.
        List<RunFigures> parts = [];
        int together = (result.Blocks.Count + MostParts - 1) / MostParts;
        for (int i = 0; i < result.Blocks.Count; i += Math.Max(together, 1))
        {
            LatencyHistogram part = new();
            int last = Math.Min(i + together, result.Blocks.Count) - 1;
            for (int j = i; j <= last; j++)
            {
                part.Add(result.Blocks.Decode(j));
            }

            double start = result.Blocks[i].StartNs / 1e6;
            parts.Add(Part(part, 0, start, (result.Blocks[last].EndNs / 1e6) - start));
        }

        return parts;
    }

    private static RunFigures Part(LatencyHistogram histogram, int run, double startMs, double durationMs) => new()
    {
        Run = run,
        StartMs = startMs,
        DurationMs = durationMs,
        Count = histogram.Count,
        Histogram = Convert.ToBase64String(histogram.EncodeCompressedV2()),
    };
}
