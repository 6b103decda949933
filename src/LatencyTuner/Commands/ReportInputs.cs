using LatencyTuner.Core;
using LatencyTuner.Core.Analysis;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Inputs;
using LatencyTuner.Core.Measurement.Monitoring;
using LatencyTuner.Core.Reporting;
using LatencyTuner.Core.Reporting.Fleet;
using LatencyTuner.Core.Reporting.Measurement;
using LatencyTuner.Core.Reporting.Merging;
using LatencyTuner.Core.Reporting.Series;
using LatencyTuner.Core.Series;
using LatencyTuner.Hosting;

namespace LatencyTuner.Commands;

/// <summary>
/// The files that are reported together: documents as they are, and the series among and within them. Of many documents only what a fleet needs is kept.
/// </summary>
internal sealed class ReportInputs
{
    /// <summary>The most documents that are shown whole, and series that are compared point by point.</summary>
    public const int MostWhole = 20;

    private const int MostComparedSeries = 16;

    private readonly CliHost _host;
    private readonly SeriesReadOptions _options;
    private readonly Gate _gate;
    private readonly List<Document> _documents = [];
    private readonly List<ObservedSeries> _within = [];
    private readonly List<ObservedSeries> _raw = [];
    private readonly FleetReportBuilder _fleet = new();
    private bool _seriesOnly = true;
    private ExpectedFailureException? _first;

    private readonly Func<string, Stream>? _open;

    private ReportInputs(CliHost host, SeriesReadOptions options, Gate gate, Func<string, Stream>? open) =>
        (_host, _options, _gate, _open) = (host, options, gate, open);

    /// <summary>Documents of every kind but series, judged, in the order given; empty where they are too many to be shown whole.</summary>
    public IReadOnlyList<Document> Documents => _fleet.Documents > MostWhole ? [] : _documents;

    /// <summary>The series to analyse together: those of files, and those within documents where they are few.</summary>
    public IReadOnlyList<ObservedSeries> Series =>
        IsFleet && _raw.Count + _within.Count > MostComparedSeries ? _raw : [.. _raw, .. _within];

    public List<string> Notes { get; } = [];

    public bool Complete { get; private set; } = true;

    /// <summary>The names of all files, patterns and folders resolved.</summary>
    public IReadOnlyList<string> Files { get; private init; } = [];

    /// <summary>True where several hosts or documents are merged into one.</summary>
    public bool IsFleet => Files.Count > 1 && (!_seriesOnly || _first is not null || _raw.Count + _within.Count > MostComparedSeries);

    /// <summary>What is found in the series together, judged; null without series.</summary>
    /// <param name="limits">What makes a finding a warning or an error.</param>
    /// <param name="seed">Seed of the resampling.</param>
    public SeriesReport? JudgedSeries(SeverityLimits limits, int seed) => Series.Count == 0 ? null
        : SeriesReportBuilder.Judge(
            SeriesReportBuilder.From(Series, limits, _options.SlowerThanNs, seed, Complete, [.. Notes.Distinct()]), _gate);

    /// <summary>Reads the files.</summary>
    /// <param name="host">Opens them.</param>
    /// <param name="paths">Files, folders and patterns as they were given.</param>
    /// <param name="options">How files of series are read.</param>
    /// <param name="gate">The gate of the user.</param>
    /// <param name="open">Opens documents that are no files, by their names; null for files.</param>
    /// <exception cref="ExpectedFailureException">The only file cannot be read, or none of several (<see cref="ExitCode.Input"/>).</exception>
    public static ReportInputs Read(
        CliHost host, IReadOnlyList<string> paths, SeriesReadOptions options, Gate gate, Func<string, Stream>? open = null)
    {
        string[] files = open is null ? [.. paths.SelectMany(InputNames.Of)] : [.. paths];
        ReportInputs inputs = new(host, options, gate, open) { Files = files };
        foreach ((string path, Func<Document?> read) in ReadAhead.Select(files, path => (path, open is null ? Document(host, path) : () => null)))
        {
            inputs.TryAdd(path, read);
        }

        if (inputs._first is { } failure && inputs._fleet.Documents == 0 && inputs._raw.Count == 0)
        {
            throw files.Length == 1 ? failure
                : new ExpectedFailureException(ExitCode.Input, $"None of the {files.Length:N0} files could be read. The first: {failure.Message}", failure);
        }

        return inputs;
    }

    /// <summary>The document of the fleet.</summary>
    /// <param name="series">What was found in the series of files; null without any.</param>
    public FleetReport Fleet(SeriesReport? series)
    {
        if (series is not null)
        {
            HashSet<string> raw = [.. _raw.Select(s => s.Name)];
            _fleet.AddSeries([.. series.Series.Where(s => raw.Contains(s.Name))], series.Findings);
        }

        FleetReport fleet = _fleet.Build(Files.Count, _gate);
        return Documents.Count > 0 || _documents.Count == 0 ? fleet
            : fleet with { Notes = [.. fleet.Notes, $"More than {MostWhole} documents are not shown one by one: report FILE shows one."] };
    }

    /// <summary>Reads a file that is a document, which takes the longest of all: what gives it, or null for another kind of file, or throws why not.</summary>
    private static Func<Document?> Document(CliHost host, string path)
    {
        // A folder is no document, and a pipe can be read once.
        if (path == CliHost.StandardInput || new FileInfo(path) is not { Exists: true, Length: > 0 })
        {
            return () => null;
        }

        try
        {
            Document? document = DocumentIn(host, path);
            return () => document;
        }
        catch (Exception e) when (e is ExpectedFailureException || UnreadableFile.Explains(e))
        {
            return () => throw (e as ExpectedFailureException ?? UnreadableFile.Of(path, e));
        }
    }

    private static Document? DocumentIn(CliHost host, string path)
    {
        using InputFile file = InputFile.Open(path, host.OpenNamed);
        return !MonitorSeries.IsMonitorFile(file.Head.Span) && IsJson(file.Head.Span)
            ? ReportJson.ReadAny(file.ReadAll(ReportJson.DefaultMaxBytes, "a document"), CliHost.NameOf(path)) : null;
    }

    private void TryAdd(string path, Func<Document?> read)
    {
        try
        {
            if (read() is { } document)
            {
                AddDocument(document, CliHost.NameOf(path));
            }
            else
            {
                Add(path);
            }
        }
        catch (ExpectedFailureException e) when (e.Code == ExitCode.Input)
        {
            // A file alone is reported where the others are; standard input is given twice by mistake only.
            _first ??= e;
            _fleet.AddUnreadable(CliHost.NameOf(path), e.Message);
        }
    }

    private void Add(string path)
    {
        try
        {
            if (_open is null && Directory.Exists(path))
            {
                _raw.AddRange(MonitorSeries.Read(path, _options));
                return;
            }

            using InputFile file = InputFile.Open(path, _open ?? _host.OpenNamed);
            string name = CliHost.NameOf(path);
            if (MonitorSeries.IsMonitorFile(file.Head.Span))
            {
                _raw.AddRange(path != CliHost.StandardInput ? MonitorSeries.Read(path, _options) : throw new ExpectedFailureException(
                    ExitCode.Input, $"{name} is a file of monitor, which is read by its name. Give the file, or its folder."));
            }
            else if (IsJson(file.Head.Span))
            {
                AddDocument(ReportJson.ReadAny(file.ReadAll(ReportJson.DefaultMaxBytes, "a document"), name), name);
            }
            else
            {
                _raw.Add(SeriesFile.Read(file.Content, name, _options));
            }
        }
        catch (Exception e) when (UnreadableFile.Explains(e))
        {
            throw UnreadableFile.Of(path, e);
        }
    }

    private void AddDocument(Document document, string path)
    {
        Document judged = PublishedDocuments.Judge(document, _gate);
        if (judged is FleetReport && Files.Count == 1)
        {
            _seriesOnly = false;
            _documents.Add(judged);
            return;
        }

        IReadOnlyList<ObservedSeries> within = Within(judged, path);
        _fleet.Add(judged, path);
        _within.AddRange(within);
        if (judged is SeriesReport report)
        {
            Notes.AddRange(report.Notes);
            Complete &= report.Complete;
            return;
        }

        _seriesOnly = false;
        if (_fleet.Documents <= MostWhole)
        {
            _documents.Add(judged);
        }
    }

    /// <summary>The series within a document; none where there are so many already that they are not compared.</summary>
    private IReadOnlyList<ObservedSeries> Within(Document document, string path) => document switch
    {
        _ when _within.Count > MostComparedSeries && !_seriesOnly => [],
        SeriesReport report => SeriesReportBuilder.Restore(report, path),
        MeasurementReport measurement when MeasurementSeries.Of(measurement, path) is { } series => [series],
        _ => [],
    };

    /// <summary>Whether the first character is an opening brace, whatever the encoding.</summary>
    public static bool IsJson(ReadOnlySpan<byte> head)
    {
        int first = head.IndexOfAnyExcept<byte>([0, 0xEF, 0xBB, 0xBF, 0xFE, 0xFF, (byte)' ', (byte)'\t', (byte)'\r', (byte)'\n']);
        return first >= 0 && head[first] == '{';
    }
}
