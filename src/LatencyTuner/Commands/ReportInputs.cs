using LatencyTuner.Core;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Inputs;
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
            if (Directory.Exists(path))
            {
                Series.AddRange(MonitorSeries.Read(path, options));
                return;
            }

            using InputFile file = InputFile.Open(path, host.OpenNamed);
            string name = CliHost.NameOf(path);
            if (MonitorSeries.IsMonitorFile(file.Head.Span))
            {
                Series.AddRange(path != CliHost.StandardInput ? MonitorSeries.Read(path, options) : throw new ExpectedFailureException(
                    ExitCode.Input, $"{name} is a file of monitor, which is read by its name. Give the file, or its folder."));
            }
            else if (IsJson(file.Head.Span))
            {
                AddDocument(ReportJson.ReadAny(file.ReadAll(ReportJson.DefaultMaxBytes, "a document"), name), name);
            }
            else
            {
                Series.Add(SeriesFile.Read(file.Content, name, options));
            }
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

    /// <summary>Whether the first character is an opening brace, whatever the encoding.</summary>
    private static bool IsJson(ReadOnlySpan<byte> head)
    {
        int first = head.IndexOfAnyExcept<byte>([0, 0xEF, 0xBB, 0xBF, 0xFE, 0xFF, (byte)' ', (byte)'\t', (byte)'\r', (byte)'\n']);
        return first >= 0 && head[first] == '{';
    }
}
