using System.Text.Json;
using System.Text.Json.Serialization;

namespace LatencyTuner.Core.Reporting.Writers;

/// <summary>Reads times of any offset as UTC: documents of earlier releases have +00:00, which would be read as local time.</summary>
internal sealed class UtcDateTimeConverter : JsonConverter<DateTime>
{
    /// <inheritdoc/>
    public override DateTime Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) => reader.GetDateTimeOffset().UtcDateTime;

    /// <inheritdoc/>
    public override void Write(Utf8JsonWriter writer, DateTime value, JsonSerializerOptions options) => writer.WriteStringValue(value);
}
