using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Inputs;
using LatencyTuner.Core.Reporting.Analysis;
using LatencyTuner.Core.Reporting.Changes;
using LatencyTuner.Core.Reporting.Check;
using LatencyTuner.Core.Reporting.Comparison;
using LatencyTuner.Core.Reporting.Diagnosis;
using LatencyTuner.Core.Reporting.Measurement;
using LatencyTuner.Core.Reporting.Profiles;
using LatencyTuner.Core.Reporting.Protocols;
using LatencyTuner.Core.Reporting.Reading;
using LatencyTuner.Core.Reporting.Recommendations;
using LatencyTuner.Core.Reporting.Selftest;
using LatencyTuner.Core.Reporting.Series;
using LatencyTuner.Core.Reporting.Settings;
using LatencyTuner.Core.Reporting.Sweep;
using LatencyTuner.Core.Reporting.UnderLoad;
using LatencyTuner.Core.Reporting.Writers;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Reporting;

/// <summary>
/// Writes and reads the published documents. What is written is ASCII: every other character is escaped, so that Windows
/// PowerShell 5.1 reads it with any code page.
/// </summary>
public static class ReportJson
{
    /// <summary>The largest document that is read unless the caller says otherwise, in bytes: 256 MiB.</summary>
    public const int DefaultMaxBytes = 256 * 1024 * 1024;

    private static readonly Dictionary<Type, string> KindOfType = new()
    {
        [typeof(MeasurementReport)] = "measurement",
        [typeof(DiagnosisReport)] = "diagnosis",
        [typeof(SweepReport)] = "sweep",
        [typeof(SeriesReport)] = "series",
        [typeof(ProtocolsReport)] = "protocols",
        [typeof(UnderLoadReport)] = "under-load",
        [typeof(CheckReport)] = "check",
        [typeof(ComparisonReport)] = "comparison",
        [typeof(SettingsReport)] = "settings",
        [typeof(HostSnapshot)] = "snapshot",
        [typeof(SnapshotComparisonReport)] = "snapshot-comparison",
        [typeof(SelftestReport)] = "selftest",
        [typeof(ChangeReport)] = "change",
        [typeof(RecommendationReport)] = "recommendation",
        [typeof(AnalysisReport)] = "analysis",
        [typeof(ProfilesReport)] = "profiles",
    };

    /// <summary>Writes a document: one JSON object, indented by two spaces, lines ending in LF, <c>schema</c> first.</summary>
    /// <typeparam name="T">A published document, such as <see cref="MeasurementReport"/>.</typeparam>
    /// <param name="report">The document. An optional figure that is not finite becomes null.</param>
    /// <returns>ASCII text that ends in LF.</returns>
    /// <exception cref="ArgumentException">A required figure is not a finite number.</exception>
    public static string Serialize<T>(T report)
        where T : class
    {
        ArgumentNullException.ThrowIfNull(report);
        return JsonSerializer.Serialize(report, TypeInfo<T>()).Replace("\r\n", "\n", StringComparison.Ordinal) + "\n";
    }

    /// <summary>Writes a document piece by piece, the same text as <see cref="SerializeAny"/>.</summary>
    /// <param name="report">A published document.</param>
    /// <param name="writer">Where it goes.</param>
    /// <exception cref="ArgumentException">It is none, or a required figure is not a finite number; some of it may have been written.</exception>
    public static void Write(object report, TextWriter writer)
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
            JsonTypeInfo type = KindOfType.ContainsKey(report.GetType())
                ? ReportJsonContext.Default.GetTypeInfo(report.GetType())!
                : throw new ArgumentException($"{report.GetType().Name} is not a published document.");
            JsonSerializer.Serialize(json, report, type);
        }

        json.Flush();
        text.PassOn();
        writer.Write('\n');
    }

    /// <summary>Writes a document whose type is known only at run time.</summary>
    /// <param name="report">A published document.</param>
    /// <exception cref="ArgumentException">It is none, or a required figure is not a finite number.</exception>
    public static string SerializeAny(object report) => report switch
    {
        MeasurementReport measurement => Serialize(measurement),
        DiagnosisReport diagnosis => Serialize(diagnosis),
        SweepReport sweep => Serialize(sweep),
        SeriesReport series => Serialize(series),
        ProtocolsReport protocols => Serialize(protocols),
        UnderLoadReport loaded => Serialize(loaded),
        CheckReport check => Serialize(check),
        ComparisonReport comparison => Serialize(comparison),
        SettingsReport settings => Serialize(settings),
        HostSnapshot snapshot => Serialize(snapshot),
        SnapshotComparisonReport snapshots => Serialize(snapshots),
        SelftestReport selftest => Serialize(selftest),
        ChangeReport change => Serialize(change),
        RecommendationReport recommendation => Serialize(recommendation),
        AnalysisReport analysis => Serialize(analysis),
        ProfilesReport profiles => Serialize(profiles),
        _ => throw new ArgumentException($"{report.GetType().Name} is not a published document."),
    };

    /// <summary>Reads a document of one kind.</summary>
    /// <typeparam name="T">The kind that is expected.</typeparam>
    /// <param name="bytes">The whole file: UTF-8 or UTF-16, with or without a byte-order mark.</param>
    /// <param name="path">The name of the file, for failures.</param>
    /// <param name="maxBytes">The largest size accepted, in bytes.</param>
    /// <returns>The document; fields this version does not know are ignored.</returns>
    /// <exception cref="ExpectedFailureException">
    /// <see cref="ExitCode.Input"/>: too large, not text, not JSON, another kind, a newer version, or not as the schema says. The
    /// sentence names file, line and column.
    /// </exception>
    public static T Read<T>(ReadOnlySpan<byte> bytes, string path, int maxBytes = DefaultMaxBytes)
        where T : class
    {
        ArgumentNullException.ThrowIfNull(path);
        JsonTypeInfo<T> typeInfo = TypeInfo<T>();
        string expected = KindOfType[typeof(T)];
        byte[] text = Decode(bytes, path, maxBytes);
        DocumentShape.CheckKind(DocumentShape.FindSchema(text, path), expected, path);
        return Parse<T>(text, typeInfo, expected, path);
    }

    /// <summary>Reads a document of whichever kind it says it is.</summary>
    /// <param name="bytes">The whole file.</param>
    /// <param name="path">The name of the file, for failures.</param>
    /// <param name="maxBytes">The largest size accepted, in bytes.</param>
    /// <returns>One of the published documents, such as <see cref="MeasurementReport"/>.</returns>
    /// <exception cref="ExpectedFailureException">As <see cref="Read{T}"/>.</exception>
    public static object ReadAny(ReadOnlySpan<byte> bytes, string path, int maxBytes = DefaultMaxBytes)
    {
        ArgumentNullException.ThrowIfNull(path);
        byte[] text = Decode(bytes, path, maxBytes);
        string schema = DocumentShape.FindSchema(text, path);
        string kind = DocumentShape.KindOf(schema);
        foreach ((Type? type, string? name) in KindOfType)
        {
            if (name != kind)
            {
                continue;
            }

            DocumentShape.CheckKind(schema, name, path);
            return Parse<object>(text, ReportJsonContext.Default.GetTypeInfo(type)!, name, path);
        }

        throw new ExpectedFailureException(
            ExitCode.Input,
            $"{path}: its schema is {Quoting.Quote(schema)}; expected latencytuner/KIND/1, where KIND is one of {string.Join(", ", KindOfType.Values)}.");
    }

    /// <summary>The kind that a document says it is.</summary>
    /// <param name="bytes">The whole file.</param>
    /// <param name="path">The name of the file, for failures.</param>
    /// <returns>For example <c>measurement</c>; empty when its schema is not one of ours.</returns>
    /// <exception cref="ExpectedFailureException"><see cref="ExitCode.Input"/>: not text, not JSON, or without a schema.</exception>
    public static string KindOf(ReadOnlySpan<byte> bytes, string path) =>
        DocumentShape.KindOf(DocumentShape.FindSchema(Decode(bytes, path, DefaultMaxBytes), path));

    private static byte[] Decode(ReadOnlySpan<byte> bytes, string path, int maxBytes)
    {
        if (bytes.Length > maxBytes)
        {
            throw new ExpectedFailureException(ExitCode.Input, $"{path}: {bytes.Length} bytes are too many for a report; at most {maxBytes} are read.");
        }

        return TextDecoding.ToUtf8(bytes, path);
    }

    private static T Parse<T>(byte[] text, JsonTypeInfo typeInfo, string kind, string path)
    {
        DocumentShape.Check(text, kind, path);
        try
        {
            return (T)JsonSerializer.Deserialize(DocumentDefaults.Fill(text, kind), typeInfo)!;
        }
        catch (Exception failure) when (failure is JsonException or InvalidOperationException)
        {
            throw DocumentShape.At(text, path, failure, $"a latencytuner {kind}");
        }
    }

    private static JsonTypeInfo<T> TypeInfo<T>()
        where T : class =>
        KindOfType.ContainsKey(typeof(T))
            ? (JsonTypeInfo<T>)ReportJsonContext.Default.GetTypeInfo(typeof(T))!
            : throw new ArgumentException($"{typeof(T).Name} is not a published document.");
}
