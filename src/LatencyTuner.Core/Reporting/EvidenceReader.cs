using LatencyTuner.Core.Analysis.Diagnosis;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Reporting.Analysis;
using LatencyTuner.Core.Reporting.Check;
using LatencyTuner.Core.Reporting.Diagnosis;
using LatencyTuner.Core.Reporting.Measurement;
using LatencyTuner.Core.Reporting.Model;
using LatencyTuner.Core.Reporting.Reading;
using LatencyTuner.Core.Reporting.Series;
using LatencyTuner.Core.Reporting.Settings;
using LatencyTuner.Core.Reporting.Sockets;
using LatencyTuner.Core.Reporting.Sweep;
using LatencyTuner.Core.Reporting.UnderLoad;
using LatencyTuner.Core.Statistics;
using LatencyTuner.Core.Tuning.Recommendations;

namespace LatencyTuner.Core.Reporting;

/// <summary>Reads reports as evidence for recommendations: findings of every kind, and the remedies that experiments measured.</summary>
public static class EvidenceReader
{
    private static readonly string[] WithoutFindings = ["comparison", "snapshot-comparison", "finding", "plan", "change", "recommendation"];

    /// <summary>Reads a report.</summary>
    /// <param name="bytes">The whole file.</param>
    /// <param name="path">Path of the file, for error messages.</param>
    /// <exception cref="ExpectedFailureException"><see cref="ExitCode.Input"/>: not a report, a newer version, or a kind that has no
    /// findings.</exception>
    public static EvidenceFile Read(byte[] bytes, string path)
    {
        string kind = ReportJson.KindOf(bytes, path);
        if (kind == "snapshot")
        {
            throw new ExpectedFailureException(
                ExitCode.Input, $"{path} is a snapshot: give it with --snapshot. Give reports of diagnose, check, measure or sweep with --from.");
        }

        if (kind == "fleet")
        {
            throw new ExpectedFailureException(
                ExitCode.Input, $"{path} is a report of several hosts, which lists who needs what. Give the report of one of them with --from.");
        }

        if (WithoutFindings.Contains(kind))
        {
            throw new ExpectedFailureException(
                ExitCode.Input,
                $"{path} is a {kind} document, which has no findings. Give a report of diagnose, check, measure, sweep, settings or analyze.");
        }

        return kind is "diagnosis" or "measurement" or "check" or "sweep" or "settings"
            ? From(ReportJson.ReadAny(bytes, path), path)
            : new EvidenceFile { File = path, Kind = kind, Findings = FindingReader.Read(bytes, path) };
    }

    /// <summary>Whether a document is of a kind that carries findings of its own.</summary>
    /// <param name="document">A document of any kind.</param>
    public static bool HasFindings(Document document) => document
        is DiagnosisReport or MeasurementReport or SweepReport or SettingsReport or CheckReport or AnalysisReport or SocketsReport or SeriesReport
            or UnderLoadReport;

    /// <summary>Makes evidence from a report.</summary>
    /// <param name="report">A document that <see cref="HasFindings"/>.</param>
    /// <param name="file">Path of the report, as its findings name it.</param>
    /// <exception cref="ArgumentException">The document is of another kind.</exception>
    public static EvidenceFile From(Document report, string file) => report switch
    {
        DiagnosisReport d => new()
        {
            File = file,
            Kind = "diagnosis",
            Complete = d.Complete,
            Paths = [PathOf(d.Target)],
            Experiments = [ExperimentOf(d)],
            Findings = [.. d.Findings.Select(f => Of(f, file, d.Target.Name))],
        },
        MeasurementReport m =>
            new()
            {
                File = file,
                Kind = "measurement",
                Complete = m.Complete,
                Paths = [PathOf(m.Target)],
                Findings = [.. m.Findings.Select(f => Of(f, file, m.Target.Name))],
            },
        SweepReport s =>
            new()
            {
                File = file,
                Kind = "sweep",
                Complete = s.Complete,
                Paths = [PathOf(s.Target)],
                Findings = [.. s.Findings.Select(f => Of(f, file, s.Target.Name))],
            },
        SettingsReport s => new() { File = file, Kind = "settings", Findings = [.. s.Findings.Select(f => Of(f, file, null))] },
        CheckReport c => OfCheck(c, file),
        UnderLoadReport u => new()
        {
            File = file,
            Kind = "under-load",
            Complete = u.Complete,
            Paths = [PathOf(u.Target)],
            Findings = [.. u.Findings.Select(f => Of(f, file, u.Target.Name))],
        },
        AnalysisReport a => new() { File = file, Kind = "analysis", Complete = a.Complete, Findings = [.. a.Findings.Select(f => OfConnection(f, file))] },
        SocketsReport s => new() { File = file, Kind = "sockets", Complete = s.Complete, Findings = [.. s.Findings.Select(f => OfConnection(f, file))] },
        SeriesReport s => new() { File = file, Kind = "series", Complete = s.Complete, Findings = [.. s.Findings.Select(f => OfConnection(f, file))] },
        _ => throw new ArgumentException($"{report?.GetType().Name ?? "null"} has no findings.", nameof(report)),
    };

    private static EvidenceFile OfCheck(CheckReport check, string file)
    {
        List<DiagnosisReport> experiments = [.. check.MoreDiagnoses.Prepend(check.Diagnosis!).Where(d => d is not null)];
        return new()
        {
            File = file,
            Kind = "check",
            Complete = check.Complete,
            Paths = [.. check.Measurements.Select(m => m.Target).Concat(experiments.Select(d => d.Target)).DistinctBy(t => t.Name).Select(PathOf)],
            Experiments = [.. experiments.Select(ExperimentOf)],
            Findings = [.. check.Findings.Select(f => Of(f, file, TargetOf(f, check, experiments)))],
        };
    }

    /// <summary>The target of a finding in a check, whose list of findings names no targets; null when the finding is about the host.</summary>
    private static string? TargetOf(Finding finding, CheckReport check, List<DiagnosisReport> experiments) =>
        CauseIds.IsOfSettings(finding.Cause) ? null
        : check.Measurements.OrderBy(m => m.Target.Name == "loopback").FirstOrDefault(m => m.Findings.Any(f => Same(f, finding)))?.Target.Name
        ?? experiments.Find(d => d.Findings.Any(f => Same(f, finding)))?.Target.Name;

    // A report read from a file has instances of its own for the same finding.
    private static bool Same(Finding a, Finding b) => (a.Id, a.Side, a.Severity, a.Count, a.CostMs) == (b.Id, b.Side, b.Severity, b.Count, b.CostMs);

    private static EvidencedPath PathOf(TargetDescription target) => new(
        target.Name, target.Address, target.Family switch { "IPv6" => true, "IPv4" => false, _ => null }, target.ResponderOs);

    private static EvidencedExperiment ExperimentOf(DiagnosisReport report) =>
        new(report.Target.Name, report.Diagnosis, report.ReplyDiagnosis, [.. report.Fixes.Select(f => FixOf(f, report))]);

    private static MeasuredFix FixOf(DiagnosisFix fix, DiagnosisReport report)
    {
        bool isReply = fix.Id.EndsWith("-reply", StringComparison.Ordinal);
        string pattern = isReply ? "split-reply" : "split";
        string same = fix.Id.Replace("-reply", "", StringComparison.Ordinal);
        DiagnosisCell? after = report.Cells.FirstOrDefault(c => c.P50Us == fix.P50UsAfter && c.N == fix.N && same switch
        {
            "one-write" => c.Pattern == "single",
            "no-delay" => c.Pattern == pattern && (isReply ? c.PeerNoDelay : c.NoDelay),
            "ack-immediate" => c.Pattern == pattern && (isReply ? c.Ack : c.PeerAck) == "immediate",
            _ => false,
        });
        DiagnosisCell? before = report.Cells.FirstOrDefault(c => c.Pattern == pattern && c.P50Us == fix.P50UsBefore);
        IntervalFigures? interval = after?.Intervals.GetValueOrDefault("p50Us");
        return new(fix, before?.N, interval?.LowUs, interval?.HighUs);
    }

    // The finding of a recording has no target; that of one connection is about that connection.
    private static Finding OfConnection(Finding finding, string file) =>
        Of(finding, file, finding.Target ?? (finding.Connections is [var only, ..] ? only : null));

    private static Finding Of(Finding finding, string file, string? target) => finding with { File = file, Target = target };
}
