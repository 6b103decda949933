using System.Security.Cryptography;
using LatencyTuner.Core;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Reporting;
using LatencyTuner.Core.Reporting.Analysis;
using LatencyTuner.Core.Reporting.Model;
using LatencyTuner.Core.Reporting.Pages;
using LatencyTuner.Core.Reporting.Sockets;
using LatencyTuner.Core.Reporting.Writers;

namespace LatencyTuner.Hosting;

/// <summary>The destination and the format of a report; opened before the work starts.</summary>
internal sealed class ReportOutput : IDisposable
{
    // A terminal of 24 lines, less the prompt and the command line above the report. A file and a pipe get the same text.
    private const int ScreenRows = 22;
    private readonly CliHost _host;
    private readonly OutputFile? _file;
    private readonly string _failOn;
    private readonly DocumentSeal _seal;

    public ReportOutput(CliHost host, CommonValues common, string failOn = "none")
    {
        _host = host;
        Common = common;
        _failOn = failOn;
        _seal = host.Seal(common);
        _file = common.Output is { } path ? OutputFile.Open(path, "--output") : null;
    }

    public CommonValues Common { get; }

    /// <summary>The files that the reports were read from, for the head of a page.</summary>
    public IReadOnlyList<string> ReadFrom { get; set; } = [];

    public void Write(Document report) => WriteAll([report]);

    /// <summary>Writes reports together; several reports only as text or HTML.</summary>
    public void WriteAll(IReadOnlyList<Document> documents)
    {
        Document[] reports = [.. documents.Select(d => PublishedDocuments.Sealed(d, _seal))];
        Document report = reports[0];
        if (Common.Chart is { } chart)
        {
            Deliver(ReportCharts.Write([.. reports.Select(PublishedDocuments.PageOf)], chart, Common.Format == ReportFormat.Csv), report);
            return;
        }

        if (Common.Format == ReportFormat.Json && report is (AnalysisReport or SocketsReport))
        {
            // Only these kinds of documents can be too long for one string.
            WriteJson(report);
            return;
        }

        string text = Common.Format switch
        {
            ReportFormat.Json => ReportJson.SerializeAny(report),
            ReportFormat.Csv => PublishedDocuments.CsvOf(report),
            ReportFormat.Junit => PublishedDocuments.JUnitOf(report, _failOn),
            ReportFormat.Github => WithSummary(PublishedDocuments.GitHubOf(report, _failOn), report),
            ReportFormat.Azure => PublishedDocuments.AzureOf(report, _failOn, AzureSummary(report)),
            ReportFormat.Html => HtmlReportWriter.Write(
                [.. reports.Select(PublishedDocuments.PageOf)], new() { Inputs = [.. ReadFrom.SelectMany(Hashed)], Interactive = Common.Interactive }),
            _ => TextReportWriter.Write([.. reports.Select(PublishedDocuments.PageOf)], new TextReportOptions
            {
                Width = _host.Width,
                Height = Common.Details ? null : ScreenRows,
                Ascii = !_host.Unicode && _file is null,
                Color = _host.Color && !Common.NoColor && _file is null,
            }),
        };
        Deliver(text, report);
    }

    /// <summary>The same text, after the summary was appended to the file that GitHub Actions shows.</summary>
    private string WithSummary(string text, Document report)
    {
        if (_host.StepSummary is { } path)
        {
            _ = Summarise(report, path, FileMode.Append);
        }

        return text;
    }

    /// <summary>A file with the summary that the agent uploads when it reads its name; null where there is no agent, or it cannot be written.</summary>
    private string? AzureSummary(Document report)
    {
        string? path = _host.AgentTempDirectory is { } folder
            ? Path.Combine(folder, $"latencytuner-{Convert.ToHexString(_host.RandomBytes(8)).ToLowerInvariant()}.md") : null;
        return path is not null && Summarise(report, path, FileMode.CreateNew) ? path : null;
    }

    private bool Summarise(Document report, string path, FileMode mode)
    {
        try
        {
            using StreamWriter writer = new(new FileStream(path, mode, FileAccess.Write));
            writer.Write(PublishedDocuments.SummaryOf(report, _failOn));
            return true;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException or NotSupportedException)
        {
            // The verdict counts, not its page: the exit code stays.
            _host.Complain($"The summary of the step could not be written to '{path}': {e.Message.TrimEnd('.')}.");
            return false;
        }
    }

    private void Deliver(string text, Document report)
    {
        if (_file is null)
        {
            Print(text);
            return;
        }

        try
        {
            _file.Writer.Write(text);
            _file.Commit();
            _host.HasReported = true;
        }
        catch (Exception e) when (_file.Beside is null && e is (IOException or ExpectedFailureException { Code: ExitCode.Platform }))
        {
            // A report that took minutes to measure is printed when the file cannot be written.
            Print(Common.Format == ReportFormat.Json && report is Report { Judgement: var judged } whole
                ? ReportJson.SerializeAny(whole with { Judgement = judged with { ExitCode = ExitCode.Platform } }) : text);
            throw new ExpectedFailureException(
                ExitCode.Platform,
                $"--output '{Common.Output}' could not be written: {OutputFile.Reason((e as IOException) ?? e.InnerException ?? e)}. The report was "
                + "printed instead.", e);
        }
    }

    /// <summary>Writes a document as one line of JSON, one of many; <see cref="EndLines"/> ends them.</summary>
    public void WriteLine(Document document)
    {
        _host.HasReported = true;
        TextWriter writer = _file?.Writer ?? _host.Out;
        writer.Write(ReportJson.Line(PublishedDocuments.Sealed(document, _seal)) + "\n");
        writer.Flush();
    }

    /// <summary>Puts the file of the lines in its place.</summary>
    public void EndLines() => _file?.Commit();

    /// <summary>The file, or those of a folder, with their hashes; standard input has none, because it can be read only once.</summary>
    private static IEnumerable<PageInput> Hashed(string path)
    {
        IEnumerable<string> files = Directory.Exists(path) ? Directory.EnumerateFiles(path).Order(StringComparer.Ordinal) : [path];
        foreach (string file in files)
        {
            yield return new(file == CliHost.StandardInput ? "standard input" : file, HashOf(file));
        }
    }

    private static string? HashOf(string path)
    {
        if (!File.Exists(path))
        {
            return null;
        }

        try
        {
            using FileStream stream = new(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
            return Convert.ToHexString(SHA256.HashData(stream)).ToLowerInvariant();
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    private void Print(string text)
    {
        _host.HasReported = true;
        _host.Out.Write(text);
        if (!text.EndsWith('\n'))
        {
            _host.Out.WriteLine();
        }

        _host.Out.Flush();
    }

    private void WriteJson(Document report)
    {
        _host.HasReported = true;
        ReportJson.Write(report, _file?.Writer ?? _host.Out);
        _host.Out.Flush();
        _file?.Commit();
    }

    public void Dispose() => _file?.Dispose();
}
