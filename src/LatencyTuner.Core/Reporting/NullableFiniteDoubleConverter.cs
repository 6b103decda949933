using System.Text.Json;
using System.Text.Json.Serialization;

namespace LatencyTuner.Core.Reporting;

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
