using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Measurement.Monitoring;
using LatencyTuner.Core.Reporting;
using LatencyTuner.Core.Reporting.Measurement;
using LatencyTuner.Core.Reporting.Series;
using LatencyTuner.Core.Series;
using LatencyTuner.Hosting;

namespace LatencyTuner.Commands;

/// <summary>The files that are reported together: documents as they are, and the series among and within them.</summary>
internal sealed class ReportInputs
{
    /// <summary>Documents of every kind but series, in the order given.</summary>
    public List<Document> Documents { get; } = [];

    /// <summary>Series of all files.</summary>
    public List<ObservedSeries> Series { get; } = [];

    public List<string> Notes { get; } = [];

    public bool Complete { get; private set; } = true;

    public static ReportInputs Read(CliHost host, IReadOnlyList<string> paths, SeriesReadOptions options)
    {
        ReportInputs inputs = new();
        foreach (string path in paths)
        {
            inputs.Add(host, path, options);
        }

        return inputs;
    }

    private void Add(CliHost host, string path, SeriesReadOptions options)
    {
        try
        {
            if (Directory.Exists(path) || IsMonitored(host, path))
            {
                Series.AddRange(MonitorSeries.Read(path, options));
                return;
            }

            if (IsJson(host, path))
            {
                AddDocument(ReportJson.ReadAny(SnapshotFiles.Bytes(host, path), path), path);
                return;
            }

            using Stream stream = host.OpenFile(path);
            Series.Add(SeriesFile.Read(stream, path, options));
        }
        catch (Exception e) when (UnreadableFile.Explains(e))
        {
            throw UnreadableFile.Of(path, e);
        }
    }

    private void AddDocument(Document document, string path)
    {
        if (document is SeriesReport report)
        {
            Series.AddRange(SeriesReportBuilder.Restore(report, path));
            Notes.AddRange(report.Notes);
            Complete &= report.Complete;
            return;
        }

        Documents.Add(document);
        if (document is MeasurementReport measurement && MeasurementSeries.Of(measurement, path) is { } series)
        {
            Series.Add(series);
        }
    }

    private static bool IsMonitored(CliHost host, string path)
    {
        using Stream stream = host.OpenFile(path);
        byte[] head = new byte[32];
        return MonitorSeries.IsMonitorFile(head.AsSpan(0, stream.ReadAtLeast(head, head.Length, throwOnEndOfStream: false)));
    }

    /// <summary>Whether the first character is an opening brace, whatever the encoding.</summary>
    private static bool IsJson(CliHost host, string path)
    {
        using Stream stream = host.OpenFile(path);
        byte[] head = new byte[4096];
        int read = stream.ReadAtLeast(head, head.Length, throwOnEndOfStream: false);
        foreach (byte b in head.AsSpan(0, read))
        {
            if (b is not (0 or 0xEF or 0xBB or 0xBF or 0xFE or 0xFF or (byte)' ' or (byte)'\t' or (byte)'\r' or (byte)'\n'))
            {
                return b == '{';
            }
        }

        return false;
    }
}
