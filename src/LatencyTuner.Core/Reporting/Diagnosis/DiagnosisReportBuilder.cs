using LatencyTuner.Core.Analysis;
using LatencyTuner.Core.Analysis.Diagnosis;
using LatencyTuner.Core.Analysis.Sockets;
using LatencyTuner.Core.Analysis.Stalls;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Measurement;
using LatencyTuner.Core.Measurement.Experiments;
using LatencyTuner.Core.Reporting.Measurement;
using LatencyTuner.Core.Reporting.Model;
using LatencyTuner.Core.Sockets;
using LatencyTuner.Core.Statistics;

namespace LatencyTuner.Core.Reporting.Diagnosis;

/// <summary>Builds the <c>diagnosis</c> document.</summary>
public static class DiagnosisReportBuilder
{
    /// <summary>Builds the document.</summary>
    /// <param name="result">The experiment on the target.</param>
    /// <param name="loopback">The same experiment on loopback; null when the target is loopback or it was left out.</param>
    /// <param name="gate">The gate that decides the exit code; null when everything passes.</param>
    /// <param name="application">The application that the verdict is about; null for applications of any kind.</param>
    public static DiagnosisReport From(ExperimentResult result, ExperimentResult? loopback, Gate? gate = null, ApplicationSockets? application = null)
    {
        DiagnosisOutcome outcome = DiagnosisRules.Judge(result, application);
        return Judge(new DiagnosisReport
        {
            Complete = result.Complete,
            EndedBecause = result.EndedBecause ?? (result.Cancelled ? "It was cancelled." : null),
            StartedUtc = result.StartedUtc.UtcDateTime,
            Target = FigureBuilder.Target(result.Target, result.ResponderSoftware, result.ResponderOs),
            Rounds = result.Rounds,
            SizeBytes = result.Plan.Size,
            WritesBytes = Workload.SplitOf(result.Plan.Size, result.Plan.FirstWrite),
            Cells = CellsOf(result),
            Diagnosis = outcome.Verdict,
            ReplyDiagnosis = outcome.ReplyVerdict,
            Fixes = outcome.Fixes,
            Loopback = loopback is null ? null : new DiagnosisContext { Cells = CellsOf(loopback), Verdict = DiagnosisRules.Judge(loopback).Verdict },
            Findings = outcome.Findings,
            Notes = [.. application is null ? Array.Empty<string>() : [application.Text], .. Notes(result, outcome, loopback)],
        }, gate ?? Gate.Open);
    }

    /// <summary>Adds the verdict to a document.</summary>
    /// <param name="report">The document.</param>
    /// <param name="gate">The gate that decides the exit code.</param>
    internal static DiagnosisReport Judge(DiagnosisReport report, Gate gate) =>
        report with
        {
            Judgement = DiagnosisVerdict.InWords(report.Diagnosis, report.ReplyDiagnosis, report.Findings, gate),
            Failing = gate.Failing(report.Findings),
            Directions =
            [
                .. DiagnosisVerdict.WorstFirst(report.Diagnosis, report.ReplyDiagnosis)
                    .Select(d => new DiagnosisDirection(d.Messages, d.Verdict, d.Beside, d.FixesOf(report.Fixes))),
            ],
        };

    private static List<DiagnosisCell> CellsOf(ExperimentResult result)
    {
        // Without plain requests, the connect time serves as the path's round trip, else the fastest request of any kind.
        long reference = result[ExperimentCell.OneWrite] is { Response.Count: > 0 } one ? one.Transport.ValueAtPercentile(50)
            : result.ConnectTime is { } connect ? (long)connect.TotalNanoseconds
            : result.Cells.Where(c => c.Transport.Count > 0).Select(c => c.Transport.MinNs).DefaultIfEmpty(0).Min();
        return [.. result.Cells.Select(c => CellOf(c, reference))];
    }

    private static DiagnosisCell CellOf(CellResult cell, long rttNs)
    {
        LatencySummary summary = LatencySummary.From(cell.Response, null, []);
        LatencyFigures figures = LatencyFigures.From(summary);
        StallAnalysis stalls = StallAnalysis.From(cell.Transport, rttNs, 0);
        EndCounters? sender = EndCounters.From(cell.Cell.SplitReply ? cell.Peer : cell.Local);
        bool refused = (cell.Cell.Ack == AckBehaviour.Immediate && cell.LocalAck == AckEffect.Unsupported)
            || (cell.Cell.PeerAck == AckBehaviour.Immediate && cell.PeerAck == AckEffect.Unsupported);
        return new DiagnosisCell
        {
            Pattern = cell.Cell.SplitRequest ? "split" : cell.Cell.SplitReply ? "split-reply" : "single",
            NoDelay = cell.Cell.NoDelay,
            PeerNoDelay = cell.Cell.PeerNoDelay,
            Ack = MeasurementReportBuilder.AckName(cell.Cell.Ack),
            PeerAck = MeasurementReportBuilder.AckName(cell.Cell.PeerAck),
            N = figures.Count,
            MinUs = figures.MinUs,
            MeanUs = figures.MeanUs,
            P50Us = figures.P50Us,
            P99Us = figures.P99Us,
            MaxUs = figures.MaxUs,
            StallShare = stalls.Share,
            StallMedianMs = stalls.MedianHoldNs / 1e6,
            PureAcksPerRequest = sender?.PureAcksIn is { } acks && cell.Exchanges > 0 ? Math.Round((double)acks / cell.Exchanges, 3) : null,
            SenderSrttUs = sender?.RttUs,
            SenderMinRttUs = sender?.MinRttUs,
            Intervals = figures.Intervals,
            NotMeasuredBecause = refused ? "the system at that end has no call for immediate ACKs; the numbers are those of its default behaviour"
                : figures.Count == 0 ? "the experiment ended before this cell was measured" : null,
        };
    }

    private static IEnumerable<string> Notes(ExperimentResult result, DiagnosisOutcome outcome, ExperimentResult? loopback)
    {
        if (new[] { outcome.Verdict, outcome.ReplyVerdict }.Any(v => v is { Cause: not (Cause.None or Cause.CannotTell) }))
        {
            yield return "This shows a risk, not a fault: with Nagle on, split writes stall on every healthy network whose hosts delay ACKs. Only a "
                + "capture or an ETW trace of your application proves that it writes in this way. Start a capture while the application is slow: "
                + "'pktmon start --capture --pkt-size 128 --file app.etl' on Windows or 'tcpdump -s 128 -w app.pcap host PEER' on Linux. In the "
                + "capture, look for a small segment that follows the ACK it waited for.";
        }

        if (result.Target.IsLoopback)
        {
            yield return "Loopback tests only this machine's TCP stack. On Windows, loopback may hide the stall: a result without a stall proves nothing.";
        }
        else if (loopback is not null && DiagnosisRules.Judge(loopback) is { Verdict.Cause: Cause.None, ReplyVerdict: null or { Cause: Cause.None } })
        {
            yield return "Loopback on this machine shows no stall. That says nothing about the network path, and on Windows loopback may hide the stall.";
        }
    }
}
