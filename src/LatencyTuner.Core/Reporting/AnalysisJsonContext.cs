using System.Text.Json.Serialization;
using LatencyTuner.Core.Reporting.Analysis;
using LatencyTuner.Core.Reporting.Writers;

namespace LatencyTuner.Core.Reporting;

/// <summary>
/// Source-generated code that writes an analysis and cannot read one: <see cref="ReportJsonContext"/> describes every property to the serialiser,
/// which takes longer than writing the document. Only optional figures need a converter; a required figure that is not a number fails without one.
/// </summary>
[JsonSourceGenerationOptions(
    GenerationMode = JsonSourceGenerationMode.Serialization,
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    WriteIndented = true,
    Converters = [typeof(NullableFiniteDoubleConverter), typeof(UtcTimeConverter)])]
[JsonSerializable(typeof(AnalysisReport))]
internal sealed partial class AnalysisJsonContext : JsonSerializerContext;
