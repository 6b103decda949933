using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Reporting.Analysis;
using LatencyTuner.Core.Reporting.Changes;
using LatencyTuner.Core.Reporting.Charts;
using LatencyTuner.Core.Reporting.Check;
using LatencyTuner.Core.Reporting.Comparison;
using LatencyTuner.Core.Reporting.Diagnosis;
using LatencyTuner.Core.Reporting.Measurement;
using LatencyTuner.Core.Reporting.Pages;
using LatencyTuner.Core.Reporting.Profiles;
using LatencyTuner.Core.Reporting.Protocols;
using LatencyTuner.Core.Reporting.Recommendations;
using LatencyTuner.Core.Reporting.Selftest;
using LatencyTuner.Core.Reporting.Series;
using LatencyTuner.Core.Reporting.Settings;
using LatencyTuner.Core.Reporting.Sweep;
using LatencyTuner.Core.Reporting.UnderLoad;

namespace LatencyTuner.Core.Reporting;

/// <summary>Turns published documents into something to read: verdict first, every figure with unit, count and uncertainty.</summary>
public static class ReportDocuments
{
    /// <summary>The document of any report.</summary>
    /// <param name="report">One of the published documents.</param>
    /// <returns>The document.</returns>
    /// <exception cref="ArgumentException">The object is not a published document.</exception>
    public static Page From(object report) => report switch
    {
        MeasurementReport measurement => From(measurement),
        DiagnosisReport diagnosis => From(diagnosis),
        SweepReport sweep => From(sweep),
        SeriesReport series => SeriesPage.Of(series),
        ProtocolsReport protocols => ProtocolsPage.Of(protocols),
        UnderLoadReport loaded => UnderLoadPage.Of(loaded),
        CheckReport check => From(check),
        ComparisonReport comparison => From(comparison),
        SettingsReport settings => SettingsPage.Of(settings),
        HostSnapshot snapshot => SettingsPage.Of(snapshot),
        SnapshotComparisonReport snapshots => SettingsPage.Of(snapshots),
        SelftestReport selftest => SelftestPage.Of(selftest),
        ChangeReport change => From(change),
        RecommendationReport recommendation => RecommendationPage.Of(recommendation),
        AnalysisReport analysis => AnalysisPage.Of(analysis),
        ProfilesReport profiles => ProfilesPage.Of(profiles),
        _ => throw new ArgumentException($"{report?.GetType().Name ?? "null"} is not a published document.", nameof(report)),
    };

    /// <summary>The document of a measurement.</summary>
    /// <param name="report">The measurement.</param>
    /// <param name="distribution">Its response times, decoded from <see cref="MeasurementReport.Runs"/>; null for no histogram.</param>
    /// <param name="strip">Its 99th percentile over time; null for no strip.</param>
    /// <returns>The document.</returns>
    public static Page From(
        MeasurementReport report, IReadOnlyList<HistogramBar>? distribution = null, TimeStripBlock? strip = null) =>
        MeasurementPage.Of(report, distribution, strip);

    /// <summary>The document of an experiment.</summary>
    /// <param name="report">The experiment.</param>
    /// <returns>The document.</returns>
    public static Page From(DiagnosisReport report) => DiagnosisPage.Of(report);

    /// <summary>The document of a sweep.</summary>
    /// <param name="report">The sweep.</param>
    /// <returns>The document.</returns>
    public static Page From(SweepReport report) => SweepPage.Of(report);

    /// <summary>The document of a check: one screen.</summary>
    /// <param name="report">The check.</param>
    /// <returns>The document.</returns>
    public static Page From(CheckReport report) => CheckPage.Of(report);

    /// <summary>The document of a comparison.</summary>
    /// <param name="report">The comparison.</param>
    /// <returns>The document.</returns>
    public static Page From(ComparisonReport report) => ComparisonPage.Of(report);

    /// <summary>The document of apply, verify, rollback or history.</summary>
    /// <param name="report">What was changed.</param>
    /// <returns>The document.</returns>
    public static Page From(ChangeReport report) => ChangePage.Of(report);
}
