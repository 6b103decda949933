using System.Text.Json;
using System.Text.Json.Serialization;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Reporting.Reading;

/// <summary>
/// Reads the <c>findings</c> of a document of a kind that this version does not write. Every kind has them in the same form, so that a
/// report of a newer version can still be used.
/// </summary>
internal static class FindingReader
{
    /// <summary>Reads the findings.</summary>
    /// <param name="bytes">The whole file.</param>
    /// <param name="path">Path of the file, for error messages.</param>
    /// <exception cref="ExpectedFailureException"><see cref="ExitCode.Input"/>: another version, no list of findings, or a finding that does not
    /// match the schema.</exception>
    public static IReadOnlyList<Finding> Read(byte[] bytes, string path)
    {
        byte[] text = DocumentShape.Decode(bytes, path);
        string schema = DocumentShape.FindSchema(text, path);
        string kind = DocumentShape.KindOf(schema);
        if (kind.Length == 0)
        {
            throw Fail(path, $"its schema is {Quoting.Quote(schema)}; expected a report with findings, such as latencytuner/diagnosis/{DocumentShape.Newest}");
        }

        _ = DocumentShape.CheckKind(schema, kind, DocumentShape.Newest, path);
        using JsonDocument document = Parse(text, path);
        if (!document.RootElement.TryGetProperty("findings", out JsonElement findings) || findings.ValueKind != JsonValueKind.Array)
        {
            throw Fail(path, $"the {kind} document has no list of findings");
        }

        int number = 0;
        return [.. findings.EnumerateArray().Select(f => Finding(f, $"finding {++number}", path))];
    }

    private static JsonDocument Parse(byte[] text, string path)
    {
        try
        {
            return JsonDocument.Parse(text);
        }
        catch (Exception failure) when (failure is JsonException or InvalidOperationException)
        {
            throw DocumentShape.At(text, path, failure, "a latencytuner document");
        }
    }

    private static Finding Finding(JsonElement element, string which, string path)
    {
        try
        {
            return element.Deserialize(FindingJsonContext.Default.Finding) is { } finding
                ? finding with
                {
                    File = path,
                    Target = finding.Target ?? (finding.Connections is [var only, ..] ? only : null),
                    Connections = finding.Connections ?? [],
                    For = finding.For ?? [],
                    Against = finding.Against ?? [],
                    Predictions = finding.Predictions ?? [],
                }
                : throw Fail(path, $"{which} is null");
        }
        catch (Exception failure) when (failure is JsonException or InvalidOperationException)
        {
            throw Fail(path, $"{which} is not valid: {DocumentShape.Reason(failure)}");
        }
    }

    private static ExpectedFailureException Fail(string path, string sentence) => new(ExitCode.Input, $"{path}: {sentence}.");
}

/// <summary>Source-generated code that reads findings and nothing else.</summary>
[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase)]
[JsonSerializable(typeof(Finding))]
internal sealed partial class FindingJsonContext : JsonSerializerContext;
