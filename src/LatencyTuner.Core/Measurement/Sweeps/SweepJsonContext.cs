using System.Text.Json.Serialization;

namespace LatencyTuner.Core.Measurement.Sweeps;

/// <summary>How state files are written: without what is absent.</summary>
[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull)]
[JsonSerializable(typeof(SweepRecord))]
[JsonSerializable(typeof(IReadOnlyList<SweepCell>))]
internal sealed partial class SweepJsonContext : JsonSerializerContext;
