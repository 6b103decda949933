using LatencyTuner.Core;
using LatencyTuner.Core.Reporting;
using LatencyTuner.Core.Reporting.Comparison;
using LatencyTuner.Core.Reporting.Measurement;
using LatencyTuner.Core.Tuning;

namespace LatencyTuner.Commands;

/// <summary>The measurement that showed the fault, kept beside the journal with the batch that is to cure it.</summary>
internal sealed record StoredMeasurement(string Path, byte[] Bytes, MeasurementReport Report)
{
    /// <summary>A measurement with its histograms has some hundred KiB.</summary>
    private const int MaxBytes = 8 * 1024 * 1024;

    public static string NameOf(string batch) => $"measured-{batch}.json";

    public static StoredMeasurement Read(byte[] bytes, string path)
    {
        if (bytes.Length > MaxBytes)
        {
            throw new ExpectedFailureException(
                ExitCode.Input, $"{path}: {bytes.Length} bytes are too many for a measurement; at most {MaxBytes} bytes are read.");
        }

        MeasurementReport report = ReportJson.Read<MeasurementReport>(bytes, path);

        // A measurement that cannot be repeated and compared is refused here, before anything is changed.
        _ = PlanFromReport.From(report, path);
        _ = ComparisonReportBuilder.Decode(path, report);
        return new StoredMeasurement(path, bytes, report);
    }

    /// <summary>The measurement of a batch; null when it was applied without one.</summary>
    public static StoredMeasurement? Of(IJournalFolder folder, string batch) =>
        folder.Read(NameOf(batch), MaxBytes) is { } bytes ? Read(bytes, System.IO.Path.Combine(folder.Path, NameOf(batch))) : null;
}
