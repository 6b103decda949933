using System.Text.Json;
using System.Text.Json.Serialization;

namespace LatencyTuner.Core.Reporting.Sweep;

/// <summary>A window is a number of bytes, or <c>dynamic</c> when the system adapts it.</summary>
internal sealed class WindowBytesConverter : JsonConverter<object>
{
    /// <summary>The word for a window that the system adapts.</summary>
    public const string Dynamic = "dynamic";

    /// <inheritdoc/>
    public override object? Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) => reader.TokenType switch
    {
        JsonTokenType.Number when reader.TryGetInt64(out long bytes) => bytes,
        JsonTokenType.String when reader.ValueTextEquals(Dynamic) => Dynamic,
        _ => throw new JsonException("A window is a number of bytes or \"dynamic\"."),
    };

    /// <inheritdoc/>
    public override void Write(Utf8JsonWriter writer, object value, JsonSerializerOptions options)
    {
        ArgumentNullException.ThrowIfNull(writer);
        if (value is long bytes)
        {
            writer.WriteNumberValue(bytes);
        }
        else
        {
            writer.WriteStringValue(Dynamic);
        }
    }
}
