using LatencyTuner.Core.Analysis;
using LatencyTuner.Core.Analysis.Loads;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Histograms;
using LatencyTuner.Core.Measurement.Load;
using LatencyTuner.Core.Reporting.Measurement;
using LatencyTuner.Core.Reporting.Model;
using LatencyTuner.Core.Statistics;

namespace LatencyTuner.Core.Reporting.UnderLoad;

/// <summary>Builds the <c>under-load</c> document.</summary>
public static class UnderLoadReportBuilder
{
    private const int MostFirst = 4096;

    private const string Method =
        "60 s divided by the mean of the fastest 95 % of the timed requests; draft-ietf-ippm-responsiveness trims in the same way. The draft also "
        + "averages TCP and TLS handshakes, and requests on the loading connections. Here only requests on one kept TCP connection beside the load "
        + "count, without TLS and HTTP. The two values are only roughly comparable.";

    /// <summary>Builds the document from the results of a measurement.</summary>
    /// <param name="result">The results of the measurement.</param>
    /// <param name="limits">The limits from which a finding is a warning or an error; null for the default limits.</param>
    /// <param name="gate">The gate that decides the exit code; null when everything passes.</param>
    public static UnderLoadReport From(UnderLoadResult result, SeverityLimits? limits = null, Gate? gate = null)
    {
        ArgumentNullException.ThrowIfNull(result);
        int seed = result.Plan.Probe.Seed;
        long[] idle = [.. result.Phases.Where(p => p.Load.Count == 0).SelectMany(p => p.ResponsesNs)];
        long[] loaded = [.. result.Phases.Where(p => p.Load.Count > 0).SelectMany(p => p.ResponsesNs)];
        AddedLatency? mean = AddedLatency.OfMean(idle, loaded, seed);
        AddedLatency? median = AddedLatency.AtQuantile(idle, loaded, 0.5, seed);
        AddedLatency? tail = AddedLatency.AtQuantile(idle, loaded, 0.9, seed);
        (LoadFacts Facts, LoadJudgement Judgement)[] loads = [.. LoadFacts.From(result).Select(f => (f, LoadJudgement.Of(f)))];
        LatencyFigures loadedFigures = FiguresOf(loaded);
        LatencyFigures idleFigures = FiguresOf(idle);
        Finding? bloat = LoadBufferbloatRule.Evaluate(
            loads, tail, (idleFigures.P50Us ?? 0) * 1e3, mean?.ValueNs ?? 0, (loadedFigures.MeanUs ?? 0) * 1e3, loaded.Length, result.Target.Name,
            limits ?? SeverityLimits.Standard);
        Responsiveness? loadedTrips = Responsiveness.Of(loaded, seed);
        return Judge(new UnderLoadReport
        {
            Complete = result.Complete,
            EndedBecause = result.EndedBecause ?? (result.Cancelled ? "It was cancelled." : null),
            StartedUtc = result.StartedUtc.UtcDateTime,
            DurationMs = Math.Round(result.Elapsed.TotalMilliseconds, 3),
            Target = FigureBuilder.Target(result.Target, result.ResponderSoftware, result.ResponderOs),
            Direction = result.Plan.Direction.ToString().ToLowerInvariant(),
            Options = MeasurementReportBuilder.Requested(result.Plan.Probe with { Duration = result.Plan.Loaded }),
            LoadLimitBytes = result.Plan.MostBytes,
            Idle = idleFigures,
            Loaded = loadedFigures,
            Added = new AddedFigures
            {
                MeanUs = UsOf(mean),
                P50Us = UsOf(median),
                P90Us = UsOf(tail),
                Intervals = ((string Name, AddedLatency? Added)[])[("meanUs", mean), ("p50Us", median), ("p90Us", tail)] is var all
                    ? all.Where(a => a.Added is not null)
                        .ToDictionary(
                            a => a.Name,
                            a => new IntervalFigures { LowUs = LatencyFigures.Us(a.Added!.Value.LowNs), HighUs = LatencyFigures.Us(a.Added.Value.HighNs) })
                    : [],
            },
            Bufferbloat = Of(BufferbloatGrade.From(tail, [.. loads.Select(l => l.Judgement)])),
            Responsiveness = new ResponsivenessFigures
            {
                IdleRpm = Rpm(Responsiveness.Of(idle, seed)?.RoundTripsPerMinute),
                LoadedRpm = Rpm(loadedTrips?.RoundTripsPerMinute),
                LoadedLowRpm = Rpm(loadedTrips?.Low),
                LoadedHighRpm = Rpm(loadedTrips?.High),
                Method = Method,
            },
            Load = [.. loads.Select(Of)],
            Phases = [.. result.Phases.Select(Of)],
            Findings = bloat is null ? [] : [bloat],
            Notes = [.. UnderLoadNotes.Of(result, [.. loads.Select(l => l.Judgement)])],
        }, gate ?? Gate.Open);
    }

    /// <summary>Adds the verdict to a document.</summary>
    /// <param name="report">The document.</param>
    /// <param name="gate">The gate that decides the exit code.</param>
    internal static UnderLoadReport Judge(UnderLoadReport report, Gate gate) => report with
    {
        Judgement = new UnderLoadOutcome
        {
            Loaded = report.Loaded.Count,
            Complete = report.Complete,
            EndedBecause = report.EndedBecause,
            Bufferbloat = new(report.Bufferbloat.Grade, report.Bufferbloat.GradeLow, report.Bufferbloat.GradeHigh, report.Bufferbloat.Because),
            AddedP90Us = report.Added.P90Us,
            AddedP90 = report.Added.Intervals.GetValueOrDefault("p90Us"),
            LoadedRpm = report.Responsiveness?.LoadedRpm,
            IdleRpm = report.Responsiveness?.IdleRpm,
            Findings = report.Findings,
        }.Judge(gate),
        Failing = gate.Failing(report.Findings),
    };

    internal static LatencyFigures FiguresOf(IReadOnlyList<long> ns)
    {
        LatencyHistogram histogram = new();
        foreach (long value in ns)
        {
            histogram.Record(value);
        }

        return LatencyFigures.From(LatencySummary.From(histogram, null, [.. ns.Take(MostFirst)]));
    }

    private static BufferbloatFigures Of(BufferbloatGrade grade) => new()
    {
        Grade = grade.Grade,
        GradeLow = grade.Low,
        GradeHigh = grade.High,
        Scale = BufferbloatScale.Text,
        Because = grade.Because,
    };

    private static LoadFigures Of((LoadFacts Facts, LoadJudgement Judgement) load) => new()
    {
        Direction = load.Facts.Up ? "up" : "down",
        Connections = load.Facts.Connections,
        Bytes = load.Facts.Bytes,
        DurationMs = load.Facts.Elapsed.TotalMilliseconds,
        ThroughputBytesPerSecond = Math.Round(load.Facts.Throughput),
        Saturated = load.Judgement.Saturated,
        LimitedBy = load.Judgement.LimitedBy,
        Because = load.Judgement.Because,
        BusyShare = Rounded(load.Facts.BusyShare),
        RwndLimitedShare = Rounded(load.Facts.RwndLimitedShare),
        SndbufLimitedShare = Rounded(load.Facts.SndbufLimitedShare),
        CwndLimitedShare = Rounded(load.Facts.CwndLimitedShare),
        RetransmittedSegments = load.Facts.RetransmittedSegments,
        RetransmittedBytes = load.Facts.RetransmittedBytes,
        RttUs = load.Facts.RttUs,
        MinRttUs = load.Facts.MinRttUs,
    };

    private static UnderLoadPhase Of(LoadPhase phase)
    {
        double? Speed(bool up) =>
            phase.Load.FirstOrDefault(s => s.Up == up) is { } side && side.Elapsed > TimeSpan.Zero ? Math.Round(side.Bytes / side.Elapsed.TotalSeconds) : null;
        return new UnderLoadPhase
        {
            Kind = phase.Load.Count > 0 ? "loaded" : "idle",
            StartMs = phase.Start.TotalMilliseconds,
            DurationMs = phase.Elapsed.TotalMilliseconds,
            ResponseTime = FiguresOf(phase.ResponsesNs),
            UpBytesPerSecond = Speed(true),
            DownBytesPerSecond = Speed(false),
            Client = FigureBuilder.Host(phase.Client),
            Server = phase.Load.Select(s => s.Server).FirstOrDefault(h => h is not null) is { } server ? FigureBuilder.Host(server) : null,
        };
    }

    private static double? UsOf(AddedLatency? added) => added is { } a ? LatencyFigures.Us(a.ValueNs) : null;

    private static double? Rpm(double? trips) => trips is { } value ? Math.Round(value, 1) : null;

    private static double? Rounded(double? share) => share is { } value ? Math.Round(value, 4) : null;
}
