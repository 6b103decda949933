using System.Text.Json;
using System.Text.Json.Serialization;
using LatencyTuner.Core.Histograms;

namespace LatencyTuner.Core.Reporting.Model;

/// <summary>Reads the histograms that a measurement document contains.</summary>
internal static class StoredHistograms
{
    /// <summary>Decodes one histogram.</summary>
    /// <exception cref="ExpectedFailureException">The text is not base64 of a HdrHistogram V2 compressed histogram.</exception>
    internal static LatencyHistogram Decode(string base64)
    {
        LatencyHistogram histogram = new();
        histogram.Add(Buckets(base64));
        return histogram;
    }

    /// <summary>Decodes one histogram into its buckets.</summary>
    /// <exception cref="ExpectedFailureException">The same.</exception>
    internal static DecodedBuckets Buckets(string base64)
    {
        byte[] bytes = new byte[((base64.Length / 4) + 1) * 3];
        return Convert.TryFromBase64String(base64, bytes, out int length)
            ? LatencyHistogram.DecodeBuckets(bytes.AsSpan(0, length))
            : throw new ExpectedFailureException(ExitCode.Input, "A stored histogram is not base64; the file was damaged or edited.");
    }
}

/// <summary>Refuses a stored histogram that cannot be decoded while the document is read, so that the message names file and line.</summary>
internal sealed class StoredHistogramConverter : JsonConverter<string>
{
    /// <inheritdoc/>
    public override string Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options)
    {
        string base64 = reader.GetString() ?? "";
        try
        {
            _ = StoredHistograms.Buckets(base64);
            return base64;
        }
        catch (ExpectedFailureException failure)
        {
            throw new JsonException(failure.Message);
        }
    }

    /// <inheritdoc/>
    public override void Write(Utf8JsonWriter writer, string value, JsonSerializerOptions options) => writer.WriteStringValue(value);
}
