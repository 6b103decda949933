using LatencyTuner.Core.Analysis;
using LatencyTuner.Core.Analysis.Stalls;
using LatencyTuner.Core.Analysis.Sweeps;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Measurement;
using LatencyTuner.Core.Measurement.Sweeps;
using LatencyTuner.Core.Reporting.Measurement;
using LatencyTuner.Core.Reporting.Model;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Reporting.Sweep;

/// <summary>Builds the <c>sweep</c> document.</summary>
public static class SweepReportBuilder
{
    /// <summary>Builds the document.</summary>
    /// <param name="result">The results of the measurement.</param>
    /// <param name="limits">The limits from which a finding is a warning or an error; null for the default limits.</param>
    /// <param name="gate">The gate that decides the exit code; null when everything passes.</param>
    public static SweepReport From(SweepResult result, SeverityLimits? limits = null, Gate? gate = null)
    {
        ArgumentNullException.ThrowIfNull(result);
        SweepPlan plan = result.Plan;
        SweepRound? any = result.Points.SelectMany(p => p.Rounds).FirstOrDefault();
        List<SweepPoint> points = [.. result.Points.Where(p => p.Rounds.Count > 0 || p.Failure is not null).Select(SweepPointBuilder.From)];
        List<SweepKnee> knees = [.. SweepBends.Knees(result)];
        bool rate = plan.Dimensions[0] == SweepDimension.Rate;
        bool streams = plan.Streams is not null;
        MeasurementPlan common = plan.Base with
        {
            Workload = streams ? StreamWorkload(plan) : plan.Base.Workload with { Writes = rate ? plan.Base.Workload.Writes : plan.Load.Writes },
            Seed = plan.Seed,
        };
        return Judge(new SweepReport
        {
            Complete = result.Complete,
            EndedBecause = result.EndedBecause ?? (result.Cancelled ? "It was cancelled." : null),
            StartedUtc = result.StartedUtc.UtcDateTime,
            Target = FigureBuilder.Target(result.Target, any?.ResponderSoftware, any?.ResponderOs),
            Dimensions = [.. plan.Dimensions.Select(SweepText.Of)],
            Protocol = streams ? "http2" : "tcp",
            Pattern = streams ? MeasurementReportBuilder.PatternName(WritePattern.Stream)
                : MeasurementReportBuilder.PatternName(
                    plan.Base.Workload.Pattern != WritePattern.Single || rate ? plan.Base.Workload.Pattern : plan.Load.Writes.Count > 1 ? WritePattern.Split
                        : WritePattern.Single),
            Options = new OptionPair
            {
                // The rate is swept; the arrivals show that the loop is open.
                Requested = rate ? MeasurementReportBuilder.Requested(common with { RatePerSecond = 1 }) with { RatePerSecond = null }
                    : MeasurementReportBuilder.Requested(common),
                Effective = any is null ? null : Effective(any, plan),
            },
            Load = rate ? null : new SweepLoadFigures
            {
                MessageBytes = plan.Load.MessageBytes,
                Messages = plan.Load.Messages,
                MessagesPerWrite = plan.Load.PerWrite,
                FetchedAhead = plan.Streams?.Ahead,
                OneConnection = plan.Streams?.OneConnection,
                OneWay = plan.Base.Workload.Pattern == WritePattern.Stream,
            },
            ResumedRounds = result.Resumed,
            Points = points,
            Knee = knees.Count > 0 ? knees[0] : null,
            Knees = plan.Dimensions.Count > 1 ? knees : [],
            GoesBad = [.. SweepBends.GoesBad(result)],
            Findings = [.. SweepFindings.Of(result, any, limits ?? SeverityLimits.Standard)],
            Notes = [.. SweepNotes.Of(result, points)],
        }, gate ?? Gate.Open);
    }

    /// <summary>Adds the verdict to a document.</summary>
    /// <param name="report">The document.</param>
    /// <param name="gate">The gate that decides the exit code.</param>
    internal static SweepReport Judge(SweepReport report, Gate gate) => report with
    {
        Judgement = new SweepOutcome
        {
            Range = SweepPage.Range(report),
            DegradesAt = report.GoesBad is [var first, ..] ? SweepValues.Of(first.Dimension, first.Value) : null,
            Degrades = report.GoesBad is [var onset, ..] ? $"{Format.Sentence(SweepPage.Onset(report, onset))}." : null,
            IsOfRates = report.Load is null,
            Complete = report.Complete,
            EndedBecause = report.EndedBecause,
            Findings = report.Findings,
        }.Judge(gate),
        Failing = gate.Failing(report.Findings),
    };

    /// <summary>A request without a body and a reply of all its messages.</summary>
    private static Workload StreamWorkload(SweepPlan plan) =>
        plan.Base.Workload with { Writes = [], ReplySize = (int)Math.Min(plan.Load.RequestBytes, int.MaxValue) };

    private static EffectiveOptions? Effective(SweepRound round, SweepPlan plan)
    {
        if (round.LocalState is not { } local || round.PeerState is not { } peer)
        {
            return null;
        }

        // The swept option differs from point to point.
        bool receive = plan.Dimensions.Any(d => d is SweepDimension.ReceiveBuffer or SweepDimension.Window);
        bool send = plan.Dimensions.Contains(SweepDimension.SendBuffer);
        EndOptions own = FigureBuilder.End(local, EndCounters.From(round.LocalCounters), round.Exchanges, plan.Base.Pin.Take(1).ToList());
        EndOptions other = FigureBuilder.End(peer, EndCounters.From(round.PeerCounters), round.Exchanges, []);
        return new EffectiveOptions
        {
            Local = send ? own with { SendBufferBytes = null } : own,
            Peer = receive ? other with { ReceiveBufferBytes = null } : other,
        };
    }
}
