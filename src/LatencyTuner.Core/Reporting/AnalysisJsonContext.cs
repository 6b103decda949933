using System.Text.Json.Serialization;
using LatencyTuner.Core.Reporting.Analysis;
using LatencyTuner.Core.Reporting.Writers;

namespace LatencyTuner.Core.Reporting;

/// <summary>
/// Source-generated code that writes an analysis, and nothing to read one: <see cref="ReportJsonContext"/> describes every property to the serialiser,
/// which takes longer than writing the document. Of the converters only the optional figures need one; a required one that is no number fails anyway.
/// </summary>
[JsonSourceGenerationOptions(
    GenerationMode = JsonSourceGenerationMode.Serialization,
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    WriteIndented = true,
    Converters = [typeof(NullableFiniteDoubleConverter)])]
[JsonSerializable(typeof(AnalysisReport))]
internal sealed partial class AnalysisJsonContext : JsonSerializerContext;
