using System.Text.Json;
using System.Text.Json.Serialization;

namespace LatencyTuner.Core.Reporting.Writers;

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

/// <summary>Writes a figure that is not a finite number as null: JSON has no NaN, and a long measurement must not be lost to one.</summary>
internal sealed class NullableFiniteDoubleConverter : JsonConverter<double?>
{
    /// <inheritdoc/>
    public override bool HandleNull => true;

    /// <inheritdoc/>
    public override double? Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) =>
        reader.TokenType == JsonTokenType.Null ? null : FiniteDoubleConverter.ReadFinite(ref reader);

    /// <inheritdoc/>
    public override void Write(Utf8JsonWriter writer, double? value, JsonSerializerOptions options)
    {
        if (value is { } number && double.IsFinite(number))
        {
            writer.WriteNumberValue(number);
        }
        else
        {
            writer.WriteNullValue();
        }
    }
}
