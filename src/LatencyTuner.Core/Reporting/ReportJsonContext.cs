using System.Text.Json.Serialization;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Reporting.Analysis;
using LatencyTuner.Core.Reporting.Changes;
using LatencyTuner.Core.Reporting.Check;
using LatencyTuner.Core.Reporting.Comparison;
using LatencyTuner.Core.Reporting.Contract;
using LatencyTuner.Core.Reporting.Diagnosis;
using LatencyTuner.Core.Reporting.Fleet;
using LatencyTuner.Core.Reporting.Measurement;
using LatencyTuner.Core.Reporting.Packs;
using LatencyTuner.Core.Reporting.Profiles;
using LatencyTuner.Core.Reporting.Protocols;
using LatencyTuner.Core.Reporting.Recommendations;
using LatencyTuner.Core.Reporting.Selftest;
using LatencyTuner.Core.Reporting.Series;
using LatencyTuner.Core.Reporting.Settings;
using LatencyTuner.Core.Reporting.Sockets;
using LatencyTuner.Core.Reporting.Sweep;
using LatencyTuner.Core.Reporting.UnderLoad;
using LatencyTuner.Core.Reporting.Writers;

namespace LatencyTuner.Core.Reporting;

/// <summary>Source-generated serialisation of every published document: property names in camelCase, unknown values as null.</summary>
[JsonSourceGenerationOptions(
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    WriteIndented = true,
    Converters = [typeof(FiniteDoubleConverter), typeof(NullableFiniteDoubleConverter), typeof(UtcTimeConverter), typeof(UtcDateTimeConverter)])]
[JsonSerializable(typeof(MeasurementReport))]
[JsonSerializable(typeof(DiagnosisReport))]
[JsonSerializable(typeof(SweepReport))]
[JsonSerializable(typeof(SeriesReport))]
[JsonSerializable(typeof(ProtocolsReport))]
[JsonSerializable(typeof(UnderLoadReport))]
[JsonSerializable(typeof(CheckReport))]
[JsonSerializable(typeof(ComparisonReport))]
[JsonSerializable(typeof(SettingsReport))]
[JsonSerializable(typeof(HostSnapshot))]
[JsonSerializable(typeof(SnapshotComparisonReport))]
[JsonSerializable(typeof(SelftestReport))]
[JsonSerializable(typeof(ChangeReport))]
[JsonSerializable(typeof(AnalysisReport))]
[JsonSerializable(typeof(ProfilesReport))]
[JsonSerializable(typeof(RecommendationReport))]
[JsonSerializable(typeof(SocketsReport))]
[JsonSerializable(typeof(FleetReport))]
[JsonSerializable(typeof(FailureReport))]
[JsonSerializable(typeof(ExitCodesReport))]
[JsonSerializable(typeof(PackReport))]
internal sealed partial class ReportJsonContext : JsonSerializerContext;
