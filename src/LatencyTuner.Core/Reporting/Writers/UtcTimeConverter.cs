using System.Text.Json;
using System.Text.Json.Serialization;

namespace LatencyTuner.Core.Reporting.Writers;

/// <summary>Writes times in UTC with a Z: PowerShell makes local time of an offset, also of +00:00. Reads any offset.</summary>
internal sealed class UtcTimeConverter : JsonConverter<DateTimeOffset>
{
    /// <inheritdoc/>
    public override DateTimeOffset Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) => reader.GetDateTimeOffset();

    /// <inheritdoc/>
    public override void Write(Utf8JsonWriter writer, DateTimeOffset value, JsonSerializerOptions options) => writer.WriteStringValue(value.UtcDateTime);
}
