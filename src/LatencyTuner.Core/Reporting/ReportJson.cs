using System.Text;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using LatencyTuner.Core.Analysis;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Reporting.Analysis;
using LatencyTuner.Core.Reporting.Measurement;
using LatencyTuner.Core.Reporting.Reading;
using LatencyTuner.Core.Reporting.Writers;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Reporting;

/// <summary>
/// Writes and reads the published documents. It writes only ASCII and escapes every other character, so that Windows
/// PowerShell 5.1 reads the file with any code page.
/// </summary>
public static class ReportJson
{
    /// <summary>The largest document that is read unless the caller says otherwise, in bytes: 256 MiB.</summary>
    public const int DefaultMaxBytes = 256 * 1024 * 1024;

    /// <summary>Writes a document: one JSON object, indented by two spaces, lines ending in LF, <c>schema</c> first.</summary>
    /// <typeparam name="T">A published document, such as <see cref="MeasurementReport"/>.</typeparam>
    /// <param name="report">The document. An optional figure that is not finite becomes null.</param>
    /// <returns>ASCII text that ends in LF.</returns>
    /// <exception cref="ArgumentException">A required figure is not a finite number.</exception>
    public static string Serialize<T>(T report)
        where T : Document
    {
        ArgumentNullException.ThrowIfNull(report);
        return JsonSerializer.Serialize(report, TypeInfo<T>()).Replace("\r\n", "\n", StringComparison.Ordinal) + "\n";
    }

    /// <summary>Writes a document piece by piece; the text is the same as that of <see cref="SerializeAny"/>.</summary>
    /// <param name="report">A published document.</param>
    /// <param name="writer">Receives the text.</param>
    /// <exception cref="ArgumentException">Not a published document, or a required figure is not a finite number; a part may have been written.</exception>
    public static void Write(Document report, TextWriter writer)
    {
        ArgumentNullException.ThrowIfNull(report);
        ArgumentNullException.ThrowIfNull(writer);
        AsciiTextBuffer text = new(writer);
        using Utf8JsonWriter json = new(text, new JsonWriterOptions { Indented = true, SkipValidation = true });
        if (report is AnalysisReport analysis)
        {
            AnalysisJsonContext.Default.AnalysisReport.SerializeHandler!(json, analysis);
        }
        else
        {
            JsonSerializer.Serialize(json, report, TypeInfo(report.GetType()));
        }

        json.Flush();
        text.PassOn();
        writer.Write('\n');
    }

    /// <summary>Writes a document whose type is known only at run time.</summary>
    /// <param name="report">A published document.</param>
    /// <exception cref="ArgumentException">The document is not a published one, or a required figure is not a finite number.</exception>
    public static string SerializeAny(Document report)
    {
        ArgumentNullException.ThrowIfNull(report);
        return JsonSerializer.Serialize(report, TypeInfo(report.GetType())).Replace("\r\n", "\n", StringComparison.Ordinal) + "\n";
    }

    /// <summary>Writes a document as one line without its end, for streams of documents.</summary>
    /// <param name="report">A published document.</param>
    /// <exception cref="ArgumentException">The document is not a published one, or a required figure is not a finite number.</exception>
    public static string Line(Document report)
    {
        using JsonDocument indented = JsonDocument.Parse(SerializeAny(report));
        using MemoryStream line = new();
        using (Utf8JsonWriter writer = new(line))
        {
            indented.WriteTo(writer);
        }

        return Encoding.ASCII.GetString(line.ToArray());
    }

    /// <summary>Reads a document of one kind.</summary>
    /// <typeparam name="T">The kind that is expected.</typeparam>
    /// <param name="bytes">The whole file: UTF-8 or UTF-16, with or without a byte-order mark.</param>
    /// <param name="path">The name of the file, for error messages.</param>
    /// <param name="maxBytes">The largest size accepted, in bytes.</param>
    /// <returns>The document; fields this version does not know are ignored.</returns>
    /// <exception cref="ExpectedFailureException">
    /// <see cref="ExitCode.Input"/>: too large, not text, not JSON, another kind, a newer version, or not valid against the schema.
    /// The message names file, line and column.
    /// </exception>
    public static T Read<T>(byte[] bytes, string path, int maxBytes = DefaultMaxBytes)
        where T : Document
    {
        ArgumentNullException.ThrowIfNull(path);
        JsonTypeInfo<T> typeInfo = TypeInfo<T>();
        DocumentKind expected = PublishedDocuments.Find(typeof(T))!;
        byte[] text = Decode(bytes, path, maxBytes);
        return (T)Parse(text, DocumentShape.FindSchema(text, path), typeInfo, expected, path);
    }

    /// <summary>Reads a document of whichever kind it says it is.</summary>
    /// <param name="bytes">The whole file.</param>
    /// <param name="path">The name of the file, for error messages.</param>
    /// <param name="maxBytes">The largest size accepted, in bytes.</param>
    /// <returns>One of the published documents, such as <see cref="MeasurementReport"/>.</returns>
    /// <exception cref="ExpectedFailureException">The same as for <see cref="Read{T}"/>.</exception>
    public static Document ReadAny(byte[] bytes, string path, int maxBytes = DefaultMaxBytes)
    {
        ArgumentNullException.ThrowIfNull(path);
        byte[] text = Decode(bytes, path, maxBytes);
        string schema = DocumentShape.FindSchema(text, path);
        string name = DocumentShape.KindOf(schema);
        DocumentKind kind = PublishedDocuments.All.FirstOrDefault(k => k.Name == name && k.Page is not null)
            ?? throw new ExpectedFailureException(
                ExitCode.Input,
                $"{path}: its schema is {Quoting.Quote(schema)}; expected latencytuner/KIND/{DocumentShape.Newest}, where KIND is one of "
                + $"{string.Join(", ", PublishedDocuments.Readable)}.");
        return Parse(text, schema, TypeInfo(kind.Type), kind, path);
    }

    /// <summary>The kind that a document says it is.</summary>
    /// <param name="bytes">The whole file.</param>
    /// <param name="path">The name of the file, for error messages.</param>
    /// <returns>For example <c>measurement</c>; empty when its schema is not one of latencytuner.</returns>
    /// <exception cref="ExpectedFailureException"><see cref="ExitCode.Input"/>: not text, not JSON, or without a schema.</exception>
    public static string KindOf(byte[] bytes, string path) =>
        DocumentShape.KindOf(DocumentShape.FindSchema(Decode(bytes, path, DefaultMaxBytes), path));

    private static byte[] Decode(byte[] bytes, string path, int maxBytes)
    {
        if (bytes.Length > maxBytes)
        {
            throw new ExpectedFailureException(ExitCode.Input, $"{path}: {bytes.Length} bytes are too many for a report; the limit is {maxBytes} bytes.");
        }

        return DocumentShape.Decode(bytes, path);
    }

    private static Document Parse(byte[] text, string schema, JsonTypeInfo typeInfo, DocumentKind kind, string path)
    {
        int version = DocumentShape.CheckKind(schema, kind.Name, kind.Version, path);
        DocumentShape.Check(text, kind.Name, version, path);
        try
        {
            return kind.Judge((Document)JsonSerializer.Deserialize(DocumentDefaults.Fill(text, kind.Name, version), typeInfo)!, Gate.Open);
        }
        catch (Exception failure) when (failure is JsonException or InvalidOperationException)
        {
            throw DocumentShape.At(text, path, failure, $"a latencytuner {kind.Name}");
        }
    }

    private static JsonTypeInfo<T> TypeInfo<T>()
        where T : Document => (JsonTypeInfo<T>)TypeInfo(typeof(T));

    private static JsonTypeInfo TypeInfo(Type type) => PublishedDocuments.Find(type) is not null ? ReportJsonContext.Default.GetTypeInfo(type)!
        : throw new ArgumentException($"{type.Name} is not a published document.");
}
