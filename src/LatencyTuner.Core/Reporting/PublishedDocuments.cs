using LatencyTuner.Core.Analysis;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Reporting.Analysis;
using LatencyTuner.Core.Reporting.Changes;
using LatencyTuner.Core.Reporting.Check;
using LatencyTuner.Core.Reporting.Comparison;
using LatencyTuner.Core.Reporting.Contract;
using LatencyTuner.Core.Reporting.Diagnosis;
using LatencyTuner.Core.Reporting.Fleet;
using LatencyTuner.Core.Reporting.Measurement;
using LatencyTuner.Core.Reporting.Model;
using LatencyTuner.Core.Reporting.Packs;
using LatencyTuner.Core.Reporting.Pages;
using LatencyTuner.Core.Reporting.Profiles;
using LatencyTuner.Core.Reporting.Protocols;
using LatencyTuner.Core.Reporting.Reading;
using LatencyTuner.Core.Reporting.Recommendations;
using LatencyTuner.Core.Reporting.Selftest;
using LatencyTuner.Core.Reporting.Series;
using LatencyTuner.Core.Reporting.Settings;
using LatencyTuner.Core.Reporting.Sockets;
using LatencyTuner.Core.Reporting.Sweep;
using LatencyTuner.Core.Reporting.UnderLoad;
using LatencyTuner.Core.Reporting.Writers;
using LatencyTuner.Core.Tuning;

namespace LatencyTuner.Core.Reporting;

/// <summary>The table of all kinds of published documents.</summary>
public static class PublishedDocuments
{
    /// <summary>All kinds, in the order in which they are listed for the user.</summary>
    internal static readonly IReadOnlyList<DocumentKind> All =
    [
        DocumentKind.Of<MeasurementReport>(
            "measurement", MeasurementCharts.PageOf, r => MeasurementCsv.Write([r]),
            (r, failOn) => new(
                "measure", r.StartedUtc, r.DurationMs / 1000, JUnitSuite.CasesOf(r.Target.Name, r.Findings, r.Failing, failOn, r.Complete)),
            MeasurementReportBuilder.Judge),
        DocumentKind.Of<DiagnosisReport>(
            "diagnosis", DiagnosisPage.Of, DiagnosisCsv.Write,
            (r, failOn) => new("diagnose", r.StartedUtc, 0, JUnitSuite.CasesOf(r.Target.Name, r.Findings, r.Failing, failOn, r.Complete)),
            DiagnosisReportBuilder.Judge),
        DocumentKind.Of<SweepReport>(
            "sweep", SweepPage.Of, SweepCsv.Write,
            (r, failOn) => new("sweep", r.StartedUtc, 0, JUnitSuite.CasesOf(r.Target.Name, r.Findings, r.Failing, failOn, r.Complete)),
            SweepReportBuilder.Judge),
        DocumentKind.Of<SeriesReport>(
            "series", SeriesPage.Of, SeriesCsv.Write,
            (r, failOn) => new(
                "series", r.Series.Count > 0 ? r.Series[0].StartUtc : null, 0,
                JUnitSuite.CasesOf(string.Join(", ", r.Series.Select(s => s.Name)), r.Findings, r.Failing, failOn, r.Complete)),
            (r, gate) => SeriesReportBuilder.Judge(r, gate)),
        DocumentKind.Of<ProtocolsReport>(
            "protocols", ProtocolsPage.Of, ProtocolsCsv.Write, (r, _) => ProtocolsJUnit.From(r), (r, _) => ProtocolsReportBuilder.Judge(r)),
        DocumentKind.Of<UnderLoadReport>(
            "under-load", UnderLoadPage.Of, UnderLoadCsv.Write,
            (r, failOn) => new(
                "measure", r.StartedUtc, r.DurationMs / 1000, JUnitSuite.CasesOf(r.Target.Name, r.Findings, r.Failing, failOn, r.Complete)),
            UnderLoadReportBuilder.Judge),
        DocumentKind.Of<CheckReport>(
            "check", CheckPage.Of, r => MeasurementCsv.Write(r.Measurements), (r, _) => CheckJUnit.From(r), CheckReportBuilder.Judge),
        DocumentKind.Of<ComparisonReport>(
            "comparison", ComparisonPage.Of, ComparisonCsv.Write,
            (r, _) => new("compare", null, 0, [new(
                "compare", "B is not worse than A", r.Result == "worse" ? r.Text : null, r.Result == "cannot-tell" ? r.Text : null, r.Text)]),
            ComparisonReportBuilder.Judge),
        DocumentKind.Of<SettingsReport>(
            "settings", SettingsPage.Of, SettingsCsv.Write,
            (r, failOn) => new("settings", r.TakenUtc, 0, JUnitSuite.CasesOf(r.Machine ?? r.Source, r.Findings, r.Failing, failOn, complete: true)),
            SettingsReportBuilder.Judge),
        DocumentKind.Of<HostSnapshot>(
            "snapshot", SettingsPage.Of, SettingsCsv.Write,
            (r, _) => new("snapshot", r.TakenUtc, 0, [new(r.Machine ?? "host", "snapshot taken", Output: SettingsPage.Of(r).Verdict.Text)])),
        DocumentKind.Of<SnapshotComparisonReport>(
            "snapshot-comparison", SettingsPage.Of, SettingsCsv.Write,
            (r, _) => new("compare", null, 0, [new("compare", "snapshots compared", Output: r.Text)]), (r, _) => SnapshotComparisons.Judge(r)),
        DocumentKind.Of<SelftestReport>(
            "selftest", SelftestPage.Of, SelftestCsv.Write, (r, _) => SelftestJUnit.From(r), (r, _) => SelftestReportBuilder.Judge(r)),
        DocumentKind.WithSchemaOnly<Finding>("finding"),
        DocumentKind.WithSchemaOnly<PlanDocument>("plan"),
        DocumentKind.Of<ChangeReport>("change", ChangePage.Of, ChangeCsv.Write, (r, _) => ChangeJUnit.From(r), (r, _) => ChangeReportBuilder.Judge(r)),
        DocumentKind.Of<RecommendationReport>(
            "recommendation", RecommendationPage.Of, RecommendationCsv.Write, RecommendationJUnit.From,
            (r, gate) => RecommendationReportBuilder.Judge(r, gate.FailOn)),
        DocumentKind.Of<AnalysisReport>(
            "analysis", AnalysisPage.Of, AnalysisCsv.Write,
            (r, failOn) => new(
                "analyze", r.Inputs.Count > 0 ? r.Inputs[0].StartUtc : null, 0,
                JUnitSuite.CasesOf(string.Join(" ", r.Inputs.Select(i => i.Path)), r.Findings, r.Failing, failOn, r.Complete)),
            (r, gate) => AnalysisReportBuilder.Judge(r, gate)),
        DocumentKind.Of<SocketsReport>(
            "sockets", SocketsPage.Of, SocketsCsv.Write,
            (r, failOn) => new("sockets", r.StartedUtc, 0, JUnitSuite.CasesOf("this host", r.Findings, r.Failing, failOn, r.Complete)),
            SocketsReportBuilder.Judge),
        DocumentKind.Of<FleetReport>("fleet", FleetPage.Of, FleetCsv.Write, (r, _) => FleetJUnit.From(r), FleetVerdict.Judge),
        DocumentKind.Of<FailureReport>(
            "failure", r => r.Page, r => r.Csv(), (r, _) => new("latencytuner", r.StartedUtc, 0, [new("latencytuner", "the command", Failure: r.Text)]),
            (r, _) => FailureReport.Judge(r)),
        DocumentKind.Of<ExitCodesReport>(
            "exit-codes", r => r.Page, r => r.Csv(), (r, _) => new("exit-codes", r.StartedUtc, 0, [new("exit-codes", "listed", Output: r.Text)]),
            (r, _) => ExitCodesReport.Judge(r)),
        DocumentKind.Of<PackReport>(
            "pack", r => r.Page, r => r.Csv(), (r, _) => new("report", r.StartedUtc, 0, [new("report", "packed", Output: r.Text)]),
            (r, _) => PackReport.Judge(r)),
        DocumentKind.Of<ProfilesReport>(
            "profiles", ProfilesPage.Of, ProfilesCsv.Write,
            (r, _) => new("profiles", null, 0, [new("profiles", "profiles listed", Output: r.Text)]), (r, _) => ProfilesReportBuilder.Judge(r)),
    ];

    /// <summary>The names of all kinds, in the order in which they are listed for the user.</summary>
    public static IReadOnlyList<string> Names { get; } = [.. All.Select(k => k.Name)];

    /// <summary>The names of the kinds that are documents of their own, which <see cref="ReportJson"/> reads and writes.</summary>
    internal static IReadOnlyList<string> Readable { get; } = [.. All.Where(k => k.Page is not null).Select(k => k.Name)];

    /// <summary>A document with the fields that only the program knows: when and how it was called, and the next steps as command lines.</summary>
    /// <param name="document">A document that a command prints.</param>
    /// <param name="seal">The program and how it was called.</param>
    public static Document Sealed(Document document, DocumentSeal seal) => document switch
    {
        Report report => report.Sealed(seal),
        HostSnapshot { Text: "" } snapshot => snapshot with
        {
            Text = SettingsPage.Of(snapshot).Verdict.Text,
            NextSteps = [.. SettingsPage.AfterSnapshot.Select(seal.InWords).OfType<string>()],
            StartedUtc = (snapshot.TakenUtc ?? seal.StartedUtc).UtcDateTime,
            Tool = seal.Tool,
        },
        _ => document,
    };

    /// <summary>The page of a document, for text and HTML.</summary>
    /// <param name="document">A document that is shown on its own.</param>
    /// <exception cref="ArgumentException">The document is never shown on its own.</exception>
    public static Page PageOf(Document document) => Need(document, k => k.Page)(document) with
    {
        NextSteps = document switch { Report report => report.NextSteps, HostSnapshot snapshot => snapshot.NextSteps, _ => [] },
        Header = HeaderOf(document),
    };

    /// <summary>Name of the machine that a document is about, or that made it; null when it does not say.</summary>
    /// <param name="document">A document of any kind.</param>
    internal static string? HostOf(Document document) => document switch
    {
        SettingsReport { Machine: { } machine } => machine,
        ChangeReport { Machine: { } machine } => machine,
        RecommendationReport { Machine: { } machine } => machine,
        HostSnapshot r => r.Machine,
        Report r => r.Origin?.Host,
        _ => null,
    } is { } name && !string.IsNullOrWhiteSpace(name) ? name : null;

    private static PageHeader HeaderOf(Document document)
    {
        Report? report = document as Report;
        HostSnapshot? snapshot = document as HostSnapshot;
        DocumentOrigin? origin = report?.Origin;
        DateTime started = report?.StartedUtc ?? snapshot?.StartedUtc ?? default;
        string? other = document switch
        {
            MeasurementReport r => PageWords.Of(r.Target),
            DiagnosisReport r => PageWords.Of(r.Target),
            SweepReport r => PageWords.Of(r.Target),
            UnderLoadReport r => PageWords.Of(r.Target),
            CheckReport r => string.Join(", ", r.Measurements.Select(m => m.Target.Name).Distinct()),
            AnalysisReport { Connections: [var first, ..] } => $"{first.Client.Address} to {first.Server.Address}",
            SeriesReport r => string.Join(", ", r.Series.Select(s => s.Name)),
            FleetReport r => FleetPage.Names([.. r.Hosts.Select(h => h.Name)], 3),
            _ => null,
        };
        string? own = document is AnalysisReport or FleetReport ? null : HostOf(document);
        return new()
        {
            Hosts = string.Join(" to ", new[] { own, string.IsNullOrEmpty(other) ? null : other }.OfType<string>()) is { Length: > 0 } hosts ? hosts : null,
            StartedUtc = started == default ? null : new DateTimeOffset(started, TimeSpan.Zero),
            Ticket = origin?.Ticket,
            Note = origin?.Note,
            Operator = origin?.Operator,
            CommandLine = origin?.CommandLine,
            Tool = (report?.Tool ?? snapshot?.Tool) is { Length: > 0 } tool ? tool : null,
            Inputs = document is AnalysisReport analysis ? [.. analysis.Inputs.Select(i => new PageInput(i.Path, i.Sha256))] : [],
        };
    }

    /// <summary>The CSV table of a document: RFC 4180, lines end in CRLF, an unknown value is an empty field.</summary>
    /// <param name="document">A document with a table.</param>
    /// <exception cref="ArgumentException">The document has no table.</exception>
    public static string CsvOf(Document document) => Need(document, k => k.Csv)(document);

    /// <summary>The gates of a document as JUnit XML.</summary>
    /// <param name="document">A document with gates.</param>
    /// <param name="failOn">The --fail-on severity as the user gave it, for the names of the gates; a check names its own.</param>
    /// <exception cref="ArgumentException">The document has no gates.</exception>
    public static string JUnitOf(Document document, string failOn = "none") => Gates(document, failOn).Write();

    /// <summary>The verdict and the gates of a document as workflow commands of GitHub Actions.</summary>
    /// <param name="document">A document with gates.</param>
    /// <param name="failOn">As for <see cref="JUnitOf"/>.</param>
    /// <exception cref="ArgumentException">The document has no gates.</exception>
    public static string GitHubOf(Document document, string failOn = "none") =>
        PipelineCommands.GitHub(PipelineIssue.Of(PageOf(document), Gates(document, failOn)));

    /// <summary>The verdict and the gates of a document as logging commands of Azure Pipelines.</summary>
    /// <param name="document">A document with gates.</param>
    /// <param name="failOn">As for <see cref="JUnitOf"/>.</param>
    /// <param name="summary">The file that holds the <see cref="SummaryOf"/>, on the machine of the agent; null without one.</param>
    /// <exception cref="ArgumentException">The document has no gates.</exception>
    public static string AzureOf(Document document, string failOn = "none", string? summary = null)
    {
        Page page = PageOf(document);
        return PipelineCommands.Azure(PipelineIssue.Of(page, Gates(document, failOn)), page, summary);
    }

    /// <summary>The verdict and the gates of a document in Markdown, for the summary of a step.</summary>
    /// <param name="document">A document with gates.</param>
    /// <param name="failOn">As for <see cref="JUnitOf"/>.</param>
    /// <exception cref="ArgumentException">The document has no gates.</exception>
    public static string SummaryOf(Document document, string failOn = "none") => StepSummary.Write(PageOf(document), Gates(document, failOn));

    /// <summary>A document that was read, with its verdict under another gate.</summary>
    /// <param name="document">A document of any kind.</param>
    /// <param name="gate">The gate that the user sets now.</param>
    public static Document Judge(Document document, Gate gate)
    {
        ArgumentNullException.ThrowIfNull(document);
        return Find(document.GetType())?.Judge(document, gate) ?? document;
    }

    /// <summary>The published JSON Schema of a kind (draft 2020-12), without references to other files.</summary>
    /// <param name="name">One of <see cref="Names"/>.</param>
    /// <returns>The schema, ending in a line feed.</returns>
    /// <exception cref="ExpectedFailureException">There is no such kind (<see cref="ExitCode.Usage"/>).</exception>
    public static string SchemaOf(string name) => Names.Contains(name) ? ReportSchemas.Get(name)
        : throw new ExpectedFailureException(ExitCode.Usage, $"'{name}' is not a kind of document. Valid kinds: {string.Join(", ", Names)}.");

    /// <summary>The kind of a type; null when it is not a document of its own.</summary>
    internal static DocumentKind? Find(Type type) => All.FirstOrDefault(k => k.Type == type && k.Page is not null);

    private static JUnitSuite Gates(Document document, string failOn) => Need(document, k => k.JUnit)(document, failOn);

    private static T Need<T>(Document document, Func<DocumentKind, T?> part)
        where T : class =>
        (document is not null && Find(document.GetType()) is { } kind ? part(kind) : null)
            ?? throw new ArgumentException($"{document?.GetType().Name ?? "null"} is not a published document.", nameof(document));
}
