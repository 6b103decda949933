using System.Security.Cryptography;
using System.Text;
using System.Text.Json;
using System.Text.Json.Serialization;
using System.Text.Json.Serialization.Metadata;
using LatencyTuner.Core.Reporting.Reading;
using LatencyTuner.Core.Reporting.Writers;
using LatencyTuner.Core.Tuning;

namespace LatencyTuner.Core.Reporting.Changes;

/// <summary>Writes and reads plan files. The checksum shows whether a plan was edited: only the plan that was agreed is applied.</summary>
public static class PlanFile
{
    /// <summary>The largest plan that is read, in bytes: 4 MiB.</summary>
    public const int MaxBytes = 4 * 1024 * 1024;

    private const string Kind = "plan";

    /// <summary>Writes a plan.</summary>
    /// <param name="plan">The plan.</param>
    /// <returns>ASCII JSON that ends in LF.</returns>
    public static string Write(ChangePlan plan)
    {
        ArgumentNullException.ThrowIfNull(plan);
        PlanDocument document = new()
        {
            Batch = plan.Batch,
            MachineId = plan.Machine.Id,
            MachineName = plan.Machine.Name,
            CreatedUtc = plan.CreatedUtc.ToUniversalTime(),
            Operator = plan.Operator,
            Ticket = plan.Ticket,
            NotAfterUtc = plan.NotAfterUtc?.ToUniversalTime(),
            Changes = [.. plan.Changes.Select(PlannedChange.From)],
            Checksum = "",
        };
        return Text(document with { Checksum = ChecksumOf(document) }, PlanTextJsonContext.Default.PlanDocument);
    }

    /// <summary>Reads a plan, and checks its form, its checksum and every value. <see cref="PlanChecks"/> decides whether it may be applied here.</summary>
    /// <param name="bytes">The whole file: UTF-8 or UTF-16, with or without a byte-order mark.</param>
    /// <param name="path">Path of the file, for error messages.</param>
    /// <returns>The plan.</returns>
    /// <exception cref="ExpectedFailureException"><see cref="ExitCode.Input"/>; the message says where the error is and what was expected.</exception>
    public static ChangePlan Read(byte[] bytes, string path)
    {
        ArgumentNullException.ThrowIfNull(path);
        if (bytes.Length > MaxBytes)
        {
            throw Fail(path, $"{bytes.Length} bytes are too many for a plan; the limit is {MaxBytes} bytes.");
        }

        byte[] text = DocumentShape.Decode(bytes, path);
        _ = DocumentShape.CheckKind(DocumentShape.FindSchema(text, path), Kind, 1, path);
        DocumentShape.Check(text, Kind, 1, path);
        PlanDocument document = Parse(text, path);
        string expected = ChecksumOf(document);
        if (!string.Equals(document.Checksum, expected, StringComparison.OrdinalIgnoreCase))
        {
            throw Fail(
                path, $"the plan was edited after it was made. Its checksum is {PlannedChange.Quote(document.Checksum)}, but its contents have "
                    + $"\"{expected}\". Make a new plan.");
        }

        List<Change> changes = new();
        for (int i = 0; i < document.Changes.Count; i++)
        {
            changes.Add(
                PlannedChange.Read(document.Changes[i], out string? wanted)
                    ?? throw Fail(path, $"change {i + 1} of {document.Changes.Count}: expected {wanted}."));
        }

        return new ChangePlan
        {
            Batch = document.Batch,
            Machine = new(document.MachineId, document.MachineName),
            CreatedUtc = document.CreatedUtc,
            Operator = document.Operator,
            Ticket = document.Ticket,
            NotAfterUtc = document.NotAfterUtc,
            Changes = changes,
        };
    }

    private static PlanDocument Parse(byte[] text, string path)
    {
        try
        {
            return JsonSerializer.Deserialize(DocumentDefaults.Fill(text, Kind, 1), PlanJsonContext.Default.PlanDocument)!;
        }
        catch (Exception failure) when (failure is JsonException or InvalidOperationException)
        {
            throw DocumentShape.At(text, path, failure, "a latencytuner plan");
        }
    }

    // The checksum covers the values, not the file: a copy in another encoding or with other line ends is the same plan.
    private static string ChecksumOf(PlanDocument document) =>
        Convert.ToHexString(
            SHA256.HashData(
                Encoding.UTF8.GetBytes(Text(document with { Schema = "latencytuner/plan/1", Checksum = "" }, PlanJsonContext.Default.PlanDocument))))
            .ToLowerInvariant();

    private static string Text(PlanDocument document, JsonTypeInfo<PlanDocument> form) =>
        JsonSerializer.Serialize(document, form).Replace("\r\n", "\n", StringComparison.Ordinal) + "\n";

    private static ExpectedFailureException Fail(string path, string sentence) => new(ExitCode.Input, $"{path}: {sentence}");
}

/// <summary>Source-generated code that reads plans, and writes what their checksum covers: plans of earlier releases keep theirs.</summary>
[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, WriteIndented = true)]
[JsonSerializable(typeof(PlanDocument))]
internal sealed partial class PlanJsonContext : JsonSerializerContext;

/// <summary>Source-generated code that writes plans.</summary>
[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, WriteIndented = true, Converters = [typeof(UtcTimeConverter)])]
[JsonSerializable(typeof(PlanDocument))]
internal sealed partial class PlanTextJsonContext : JsonSerializerContext;
