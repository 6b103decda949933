using System.Text.Json.Serialization;

namespace LatencyTuner.Core.Tuning;

/// <summary>Source-generated serialisation of the journal: one line, nothing for null.</summary>
[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull)]
[JsonSerializable(typeof(JournalRecord))]
internal sealed partial class TuningJsonContext : JsonSerializerContext;
