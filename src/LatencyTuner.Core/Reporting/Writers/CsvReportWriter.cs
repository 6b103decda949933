using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Reporting.Analysis;
using LatencyTuner.Core.Reporting.Changes;
using LatencyTuner.Core.Reporting.Check;
using LatencyTuner.Core.Reporting.Comparison;
using LatencyTuner.Core.Reporting.Diagnosis;
using LatencyTuner.Core.Reporting.Measurement;
using LatencyTuner.Core.Reporting.Model;
using LatencyTuner.Core.Reporting.Profiles;
using LatencyTuner.Core.Reporting.Protocols;
using LatencyTuner.Core.Reporting.Recommendations;
using LatencyTuner.Core.Reporting.Selftest;
using LatencyTuner.Core.Reporting.Series;
using LatencyTuner.Core.Reporting.Settings;
using LatencyTuner.Core.Reporting.Sweep;
using LatencyTuner.Core.Reporting.UnderLoad;
using LatencyTuner.Core.Settings.Audit;
using LatencyTuner.Core.Statistics;
using LatencyTuner.Core.Text;
using LatencyTuner.Core.Tuning.Recommendations;

namespace LatencyTuner.Core.Reporting.Writers;

/// <summary>
/// Writes one table per kind in the format of RFC 4180, invariant culture, unknown as an empty field. Text that a spreadsheet
/// would run as a formula is preceded by an apostrophe.
/// </summary>
public static class CsvReportWriter
{
    /// <summary>The table of any report.</summary>
    /// <param name="report">One of the published documents.</param>
    /// <returns>The table, lines ending in CRLF.</returns>
    /// <exception cref="ArgumentException">The object is not a published document.</exception>
    public static string Write(object report) => report switch
    {
        MeasurementReport measurement => Measurements([measurement]),
        CheckReport check => Measurements(check.Measurements),
        DiagnosisReport diagnosis => Write(diagnosis),
        SweepReport sweep => Write(sweep),
        SeriesReport series => Write(series),
        ProtocolsReport protocols => Write(protocols),
        UnderLoadReport loaded => Write(loaded),
        ComparisonReport comparison => Write(comparison),
        SettingsReport settings => Write(settings),
        HostSnapshot snapshot => Write(snapshot),
        SnapshotComparisonReport snapshots => Write(snapshots),
        SelftestReport selftest => Write(selftest),
        ChangeReport change => Write(change),
        RecommendationReport recommendation => Write(recommendation),
        AnalysisReport analysis => Write(analysis),
        ProfilesReport profiles => Write(profiles),
        _ => throw new ArgumentException($"{report?.GetType().Name ?? "null"} has no table.", nameof(report)),
    };

    /// <summary>Series: one row per bin.</summary>
    /// <param name="report">The series.</param>
    /// <returns>The table.</returns>
    public static string Write(SeriesReport report)
    {
        ArgumentNullException.ThrowIfNull(report);
        CsvTable table = new("series", "startUtc", "durationMs", "n", "p50Us", "tailUs", "slow");
        foreach (SeriesFigures series in report.Series)
        {
            foreach (SeriesBin bin in series.Bins)
            {
                table.Row(
                    series.Name, series.StartUtc.AddMilliseconds(bin.At * series.BinMs), series.BinMs, bin.N, bin.P50Us, bin.TailUs,
                    series.Slow is null ? null : bin.Slow);
            }
        }

        return table.ToString();
    }

    /// <summary>Measurements: one row per measured distribution (response time, service time, send lateness).</summary>
    /// <param name="reports">The measurements.</param>
    /// <returns>The table.</returns>
    public static string Measurements(IReadOnlyList<MeasurementReport> reports)
    {
        ArgumentNullException.ThrowIfNull(reports);
        CsvTable table = new(
            "target", "address", "port", "startedUtc", "complete", "pattern", "sizeBytes", "replySizeBytes", "ratePerSecond", "connections", "inFlight",
            "noDelay", "peerNoDelay", "ack", "peerAck", "sent", "received", "errors", "durationMs", "throughputPerSecond", "stalls", "stallShare",
            "stallTotalMs",
            "distribution", "count", "minUs", "meanUs", "stdevUs", "p10Us", "p50Us", "p50LowUs", "p50HighUs", "p90Us", "p99Us", "p99LowUs", "p99HighUs",
            "p99_9Us", "p99_99Us", "maxUs");
        foreach (MeasurementReport report in reports)
        {
            foreach ((string? name, LatencyFigures? figures) in new (string, LatencyFigures?)[]
            {
                ("responseTime", report.ResponseTime), ("serviceTime", report.ServiceTime), ("sendLateness", report.SendLateness),
            })
            {
                if (figures is null)
                {
                    continue;
                }

                (RequestedOptions? asked, EffectiveOptions? effective) = (report.Options.Requested, report.Options.Effective);
                (IntervalFigures? p50, IntervalFigures? p99) = (figures.Intervals.GetValueOrDefault("p50Us"), figures.Intervals.GetValueOrDefault("p99Us"));
                table.Row(
                    report.Target.Name, report.Target.Address, report.Target.Port, report.StartedUtc, report.Complete, report.Pattern, asked.SizeBytes,
                    asked.ReplySizeBytes, asked.RatePerSecond, asked.Connections, asked.InFlight, effective?.Local.NoDelay ?? asked.NoDelay,
                    effective?.Peer.NoDelay ?? asked.PeerNoDelay, effective?.Local.Ack ?? asked.Ack, effective?.Peer.Ack ?? asked.PeerAck, report.Sent,
                    report.Received, report.Errors, report.DurationMs, report.ThroughputPerSecond, report.Stalls.Count, report.Stalls.Share,
                    report.Stalls.TotalMs,
                    name, figures.Count, figures.MinUs, figures.MeanUs, figures.StdevUs, figures.P10Us, figures.P50Us, p50?.LowUs, p50?.HighUs, figures.P90Us,
                    figures.P99Us, p99?.LowUs, p99?.HighUs, figures.P999Us, figures.P9999Us, figures.MaxUs);
            }
        }

        return table.ToString();
    }

    /// <summary>An experiment: one row per cell.</summary>
    /// <param name="report">The experiment.</param>
    /// <returns>The table.</returns>
    public static string Write(DiagnosisReport report)
    {
        ArgumentNullException.ThrowIfNull(report);
        CsvTable table = new(
            "target", "pattern", "noDelay", "peerNoDelay", "ack", "peerAck", "n", "minUs", "meanUs", "p50Us", "p50LowUs", "p50HighUs", "p99Us", "p99LowUs",
            "p99HighUs",
            "maxUs", "stallShare", "stallMedianMs", "pureAcksPerRequest", "senderSrttUs", "senderMinRttUs", "notMeasuredBecause");
        foreach ((string? name, IReadOnlyList<DiagnosisCell>? cells) in new[] {
            (report.Target.Name, report.Cells), ("loopback", report.Loopback?.Cells ?? []) })
        {
            foreach (DiagnosisCell cell in cells)
            {
                (IntervalFigures? p50, IntervalFigures? p99) = (cell.Intervals.GetValueOrDefault("p50Us"), cell.Intervals.GetValueOrDefault("p99Us"));
                table.Row(
                    name, cell.Pattern, cell.NoDelay, cell.PeerNoDelay, cell.Ack, cell.PeerAck, cell.N, cell.MinUs, cell.MeanUs, cell.P50Us, p50?.LowUs,
                    p50?.HighUs,
                    cell.P99Us, p99?.LowUs, p99?.HighUs, cell.MaxUs, cell.StallShare, cell.StallMedianMs, cell.PureAcksPerRequest, cell.SenderSrttUs,
                    cell.SenderMinRttUs, cell.NotMeasuredBecause);
            }
        }

        return table.ToString();
    }

    /// <summary>One row for each part of the exchanges with each target.</summary>
    /// <param name="report">What was measured.</param>
    /// <returns>The table.</returns>
    public static string Write(ProtocolsReport report)
    {
        ArgumentNullException.ThrowIfNull(report);
        CsvTable table = new(
            "target", "protocol", "connection", "sent", "errors", "skipped", "phase", "n", "minUs", "p10Us", "p50Us", "p50LowUs", "p50HighUs", "meanUs",
            "p90Us", "p99Us", "p99_9Us", "maxUs");
        foreach (ProtocolTarget target in report.Targets)
        {
            foreach (ProtocolPhase? phase in target.Phases.DefaultIfEmpty(new ProtocolPhase { Name = "", Latency = new LatencyFigures { Count = 0 } }))
            {
                (LatencyFigures? latency, IntervalFigures? p50) = (phase.Latency, phase.Latency.Intervals.GetValueOrDefault("p50Us"));
                table.Row(
                    target.Target.Name, target.Protocol, target.Connection, target.Sent, target.Errors, target.Skipped, phase.Name, latency.Count,
                    latency.MinUs, latency.P10Us,
                    latency.P50Us, p50?.LowUs, p50?.HighUs, latency.MeanUs, latency.P90Us, latency.P99Us, latency.P999Us, latency.MaxUs);
            }
        }

        return table.ToString();
    }

    /// <summary>Latency under load: one row for each phase, and one each for all idle and all loaded ones.</summary>
    /// <param name="report">What was measured.</param>
    /// <returns>The table.</returns>
    public static string Write(UnderLoadReport report)
    {
        ArgumentNullException.ThrowIfNull(report);
        CsvTable table = new(
            "target", "direction", "phase", "startMs", "durationMs", "n", "minUs", "meanUs", "p50Us", "p50LowUs", "p50HighUs", "p90Us", "p90LowUs",
            "p90HighUs", "p99Us", "maxUs",
            "upBytesPerSecond", "downBytesPerSecond", "clientBusyShare", "serverBusyShare", "grade", "rpm");
        void Row(string phase, double? startMs, double? durationMs, LatencyFigures figures, UnderLoadPhase? of, string? grade, double? rpm)
        {
            (IntervalFigures? p50, IntervalFigures? p90) = (figures.Intervals.GetValueOrDefault("p50Us"), figures.Intervals.GetValueOrDefault("p90Us"));
            table.Row(
                report.Target.Name, report.Direction, phase, startMs, durationMs, figures.Count, figures.MinUs, figures.MeanUs, figures.P50Us, p50?.LowUs,
                p50?.HighUs,
                figures.P90Us, p90?.LowUs, p90?.HighUs, figures.P99Us, figures.MaxUs, of?.UpBytesPerSecond, of?.DownBytesPerSecond,
                of?.Client.MachineBusyShare, of?.Server?.MachineBusyShare, grade, rpm);
        }

        Row("all idle", null, null, report.Idle, null, null, report.Responsiveness.IdleRpm);
        Row("all loaded", null, null, report.Loaded, null, report.Bufferbloat.Grade, report.Responsiveness.LoadedRpm);
        foreach (UnderLoadPhase phase in report.Phases)
        {
            Row(phase.Kind, phase.StartMs, phase.DurationMs, phase.ResponseTime, phase, null, null);
        }

        return table.ToString();
    }

    /// <summary>A sweep: one row per point.</summary>
    /// <param name="report">The sweep.</param>
    /// <returns>The table.</returns>
    public static string Write(SweepReport report)
    {
        ArgumentNullException.ThrowIfNull(report);
        CsvTable table = new(
            "target", "rate", "sizeBytes", "sendBufferRequestedBytes", "sendBufferEffectiveBytes", "receiveBufferRequestedBytes",
            "receiveBufferEffectiveBytes", "windowBytes", "connections",
            "messagesPerWrite", "failedBecause", "rateHeld", "rounds", "n", "meanUs", "p50Us", "p50LowUs", "p50HighUs", "p90Us", "p99Us", "p99LowUs",
            "p99HighUs", "p99_9Us", "maxUs",
            "throughputPerSecond", "throughputLowPerSecond", "throughputHighPerSecond", "throughputBytesPerSecond", "sendBlockedShare", "rwndLimitedShare",
            "sndbufLimitedShare",
            "cwndLimitedShare", "busyShare", "segmentsPerRequest", "longestSendUs", "sendLatenessP99Us", "streamWindowBytes", "roundTripUs",
            "fetchShare", "sendCallShare", "sendWaitShare", "fetchOverlapShare", "fetchOverlapSeenShare");
        foreach (SweepPoint point in report.Points)
        {
            (IntervalFigures? p50, IntervalFigures? p99) = (point.Intervals.GetValueOrDefault("p50Us"), point.Intervals.GetValueOrDefault("p99Us"));
            table.Row(
                report.Target.Name, point.Rate, point.SizeBytes, point.SendBufferBytes?.Requested, point.SendBufferBytes?.Effective,
                point.ReceiveBufferBytes?.Requested,
                point.ReceiveBufferBytes?.Effective, point.WindowBytes, point.Connections, point.MessagesPerWrite, point.FailedBecause, point.RateHeld,
                point.Rounds, point.N, point.MeanUs, point.P50Us, p50?.LowUs, p50?.HighUs, point.P90Us, point.P99Us,
                p99?.LowUs, p99?.HighUs, point.P999Us, point.MaxUs, point.ThroughputPerSecond, point.ThroughputLowPerSecond, point.ThroughputHighPerSecond,
                point.ThroughputBytesPerSecond, point.SendBlockedShare, point.RwndLimitedShare, point.SndbufLimitedShare, point.CwndLimitedShare,
                point.BusyShare,
                point.SegmentsPerRequest, point.LongestSendUs, point.SendLatenessP99Us, point.StreamWindowBytes, point.RoundTripUs,
                point.FetchShare, point.SendCallShare, point.SendWaitShare, point.FetchOverlapShare, point.FetchOverlapSeenShare);
        }

        return table.ToString();
    }

    /// <summary>A comparison: one row per quantile.</summary>
    /// <param name="report">The comparison.</param>
    /// <returns>The table.</returns>
    public static string Write(ComparisonReport report)
    {
        ArgumentNullException.ThrowIfNull(report);
        CsvTable table = new("a", "b", "quantile", "aUs", "bUs", "deltaUs", "lowUs", "highUs", "pValue", "limitUs", "verdict");
        foreach (ComparedQuantile q in report.Quantiles)
        {
            table.Row(report.A, report.B, q.Quantile, q.AUs, q.BUs, q.DeltaUs, q.LowUs, q.HighUs, q.PValue, q.LimitUs, q.Verdict);
        }

        return table.ToString();
    }

    /// <summary>Settings: one row per value.</summary>
    /// <param name="report">The settings.</param>
    /// <returns>The table.</returns>
    public static string Write(SettingsReport report)
    {
        ArgumentNullException.ThrowIfNull(report);
        CsvTable table = new(
            "source", "machine", "profile", "id", "scope", "interface", "interfaceAlias", "template", "path", "absent", "type", "value", "default", "effective",
            "recommended", "state", "because", "action", "takesEffect", "factsFrom", "confidence");
        foreach (AuditedSetting e in report.Entries)
        {
            table.Row(
                report.Source, report.Machine, report.Profile, e.Id, e.Scope, e.Interface, e.InterfaceAlias, e.Template, e.Path, e.Absent, e.Type, e.Value,
                e.Default, e.Effective,
                e.Recommended, System.Text.Json.JsonNamingPolicy.KebabCaseLower.ConvertName(e.State.ToString()), e.Because, e.Action, e.TakesEffect,
                e.Source, e.Confidence);
        }

        return table.ToString();
    }

    /// <summary>A snapshot: one row per value.</summary>
    /// <param name="snapshot">The snapshot.</param>
    /// <returns>The table.</returns>
    public static string Write(HostSnapshot snapshot)
    {
        ArgumentNullException.ThrowIfNull(snapshot);
        CsvTable table = new("machine", "id", "store", "interface", "template", "path", "name", "absent", "type", "data", "notReadBecause");
        foreach (SnapshotValue v in snapshot.Values)
        {
            table.Row(snapshot.Machine, v.Id, v.Store, v.Interface, v.Template, v.Path, v.Name, v.Absent, v.Type, string.Join("|", v.Data), v.NotReadBecause);
        }

        return table.ToString();
    }

    /// <summary>Two snapshots: one row per difference.</summary>
    /// <param name="report">The comparison.</param>
    /// <returns>The table.</returns>
    public static string Write(SnapshotComparisonReport report)
    {
        ArgumentNullException.ThrowIfNull(report);
        CsvTable table = new("a", "b", "what", "id", "path", "before", "after");
        foreach (SnapshotChange c in report.Changes)
        {
            table.Row(report.A, report.B, c.What, c.Id, c.Path, c.Before, c.After);
        }

        return table.ToString();
    }

    /// <summary>A selftest: one row per assumption.</summary>
    /// <param name="report">The selftest.</param>
    /// <returns>The table.</returns>
    public static string Write(SelftestReport report)
    {
        ArgumentNullException.ThrowIfNull(report);
        CsvTable table = new("build", "group", "id", "result", "because", "evidence", "run");
        foreach (SelftestProbe p in report.Probes)
        {
            table.Row(
                report.Os.Build, p.Group, p.Id, System.Text.Json.JsonNamingPolicy.KebabCaseLower.ConvertName(p.Result.ToString()), p.Because,
                string.Join("|", p.Evidence), p.Run);
        }

        return table.ToString();
    }

    /// <summary>Changes: one row per change.</summary>
    /// <param name="report">What was changed.</param>
    /// <returns>The table.</returns>
    public static string Write(ChangeReport report)
    {
        ArgumentNullException.ThrowIfNull(report);
        CsvTable table = new(
            "operation", "machine", "batch", "settingId", "scope", "interface", "template", "filter", "store", "path",
            "beforeType", "before", "afterType", "after", "actualType", "actual", "status", "restart", "pending", "changedUtc");
        foreach (ReportedChange c in report.Changes)
        {
            table.Row(
                report.Operation, report.Machine, c.Batch, c.SettingId, c.Scope, c.Interface, c.Template, c.Filter, c.Store, c.Path, c.Before.Type,
                ChangePage.Value(c.Before),
                c.After.Type, ChangePage.Value(c.After), c.Actual?.Type, c.Actual is null ? null : ChangePage.Value(c.Actual), c.Status, c.Restart,
                c.Pending, c.ChangedUtc);
        }

        return table.ToString();
    }

    /// <summary>Recommendations: one row each, in their order; then what nothing here cures, as <c>not-cured</c>.</summary>
    /// <param name="report">The recommendations.</param>
    /// <returns>The table.</returns>
    public static string Write(RecommendationReport report)
    {
        ArgumentNullException.ThrowIfNull(report);
        CsvTable table = new(
            "rank", "id", "kind", "title", "where", "host", "target", "appliesTo", "basis", "savesMs", "p50UsBefore", "p50UsAfter", "p99UsAfter", "n", "file",
            "confidence", "tradeOff", "scope", "takesEffect", "settingId", "value", "current", "how", "undo", "findings");
        int rank = 0;
        foreach (Recommendation r in report.Recommendations)
        {
            table.Row(
                ++rank, r.Id, Format.Kebab(r.Kind), r.Title, r.Where, r.Host, r.Target, r.AppliesTo, Format.Kebab(r.Effect.Basis), r.Effect.SavesMs,
                r.Effect.P50UsBefore,
                r.Effect.P50UsAfter, r.Effect.P99UsAfter, r.Effect.N, r.Effect.File, FindingWords.Of(r.Confidence), r.TradeOff, r.Scope, r.TakesEffect, r.SettingId,
                r.Value,
                string.Join("|", r.Current.Select(RecommendationPage.Current)), string.Join("|", r.How), r.Undo, string.Join("|", r.Findings));
        }

        foreach (Explanation e in report.NotCured)
        {
            table.Row(
                null, e.FindingId, "not-cured", e.Text, null, null, e.Target, null, null, null, null, null, null, null, e.File,
                null, null, null, null, null, null, null, e.LookAt, null, e.FindingId);
        }

        return table.ToString();
    }

    /// <summary>An analysis of captures: one row per transaction.</summary>
    /// <param name="report">The analysis.</param>
    /// <returns>The table.</returns>
    public static string Write(AnalysisReport report)
    {
        ArgumentNullException.ThrowIfNull(report);
        CsvTable table = new(
            "connection", "index", "startUtc", "startMs", "durationMs", "serverMs", "serverLowMs", "serverHighMs", "clientMs", "networkMs", "stallMs",
            "stall", "clientAfterMs",
            "requestBytes", "responseBytes", "firstFrame", "lastFrame", "serverPausesMs");
        foreach (AnalysedTransaction t in report.Transactions)
        {
            table.Row(
                t.Connection, t.Index, t.StartUtc, t.StartMs, t.DurationMs, t.ServerMs, t.ServerLowMs, t.ServerHighMs, t.ClientMs, t.NetworkMs, t.StallMs,
                t.Stall, t.ClientAfterMs,
                t.RequestBytes, t.ResponseBytes, t.FirstFrame, t.LastFrame, t.ServerPausesMs);
        }

        return table.ToString();
    }

    /// <summary>Profiles: one row per provider.</summary>
    /// <param name="report">The profiles.</param>
    /// <returns>The table.</returns>
    public static string Write(ProfilesReport report)
    {
        ArgumentNullException.ThrowIfNull(report);
        CsvTable table = new(
            "profile", "provider", "id", "level", "keywords", "captureKeywords", "eventIds", "profileEventsPerSecond", "profileBytesPerSecond");
        foreach (ReportedProfile profile in report.Profiles)
        {
            foreach (ReportedProvider p in profile.Providers)
            {
                table.Row(
                    profile.Name, p.Name, p.Id, p.Level, p.Keywords, p.CaptureKeywords, string.Join(' ', p.EventIds), profile.EventsPerSecond,
                    profile.BytesPerSecond);
            }
        }

        return table.ToString();
    }
}
