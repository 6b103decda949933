using System.Text.Json;
using System.Text.Json.Serialization;

namespace LatencyTuner.Core.Reporting;

/// <summary>Refuses numbers beyond the range of a double, which would be read as infinity.</summary>
internal sealed class FiniteDoubleConverter : JsonConverter<double>
{
    /// <inheritdoc/>
    public override double Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) => ReadFinite(ref reader);

    /// <inheritdoc/>
    public override void Write(Utf8JsonWriter writer, double value, JsonSerializerOptions options)
    {
        if (!double.IsFinite(value))
        {
            throw new ArgumentException("A required figure of the report is not a finite number.", nameof(value));
        }

        writer.WriteNumberValue(value);
    }

    internal static double ReadFinite(ref Utf8JsonReader reader) =>
        reader.TokenType == JsonTokenType.Number && reader.TryGetDouble(out double value) && double.IsFinite(value)
            ? value
            : throw new JsonException("Expected a finite number.");
}
