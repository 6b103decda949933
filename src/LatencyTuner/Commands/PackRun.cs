using System.Text;
using LatencyTuner.Core;
using LatencyTuner.Core.Analysis;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Inputs;
using LatencyTuner.Core.Measurement.Monitoring;
using LatencyTuner.Core.Reporting;
using LatencyTuner.Core.Reporting.Model;
using LatencyTuner.Core.Reporting.Packing;
using LatencyTuner.Core.Reporting.Packs;
using LatencyTuner.Core.Reporting.Series;
using LatencyTuner.Core.Series;
using LatencyTuner.Hosting;

namespace LatencyTuner.Commands;

/// <summary>Makes an evidence pack of the files that <c>report</c> was given.</summary>
internal sealed class PackRun(CliHost host, PackRequest request, SeriesReadOptions reading, SeverityLimits limits, int seed)
{
    private const int KeyBytes = 32;
    private const int MostTokenBytes = 4096;

    private readonly List<string> _series = [];
    private readonly List<PackableCapture> _given = [];
    private ExpectedFailureException? _first;

    /// <summary>Makes the pack, prints what it holds, and puts it in its place.</summary>
    /// <param name="paths">Files, folders and patterns as they were given.</param>
    /// <param name="output">Prints the list.</param>
    /// <param name="cancellation">Ends the work; then nothing is left behind.</param>
    public ExitCode Run(IReadOnlyList<string> paths, ReportOutput output, CancellationToken cancellation)
    {
        string[] files = [.. paths.SelectMany(InputNames.Of)];
        RefuseInputs(files);
        using OutputFile zip = OutputFile.Open(request.File, "--pack");
        using EvidencePack pack = new(new PackOptions
        {
            MaskKey = request.Mask ? host.RandomBytes(KeyBytes) : null,
            MaskNames = request.MaskNames,
            KeepPayload = request.KeepPayload,
            MadeBy = CliHost.Tool,
        });
        foreach (string file in files)
        {
            cancellation.ThrowIfCancellationRequested();
            if (file != CliHost.StandardInput)
            {
                pack.MeetFile(file);
            }

            Add(pack, file);
        }

        AddSeries(pack, output.Common);
        if (pack.Documents == 0)
        {
            throw _first ?? new ExpectedFailureException(ExitCode.Input, "A pack needs a document of this program, and none was given.");
        }

        PackCaptures.Add(pack, _given, request.IncludeCaptures);
        AddTokens(pack);
        HostSnapshot? snapshot = Snapshot(pack);
        DocumentSeal seal = host.Seal(output.Common);
        Document[] shown = Shown(pack, seal.Origin);
        PackReport report;
        try
        {
            report = pack.Write(zip.Writer.BaseStream, shown, output.Common.Interactive, snapshot, seal, cancellation);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new ExpectedFailureException(ExitCode.Platform, $"--pack '{request.File}' could not be written: {OutputFile.Reason(e)}.", e);
        }

        WriteTable(pack);
        output.Write(report);
        Place(zip);
        return ExitCode.Done;
    }

    /// <summary>An input that the pack would replace is lost, whatever was meant.</summary>
    private void RefuseInputs(IEnumerable<string> files)
    {
        string pack = Full(request.File);
        foreach (string file in files)
        {
            if (file != CliHost.StandardInput && Full(file) == pack)
            {
                throw new ExpectedFailureException(ExitCode.Usage, $"--pack '{request.File}' is one of the files to pack. Give the pack another name.");
            }
        }

        if (request.MaskTable is { } table && Full(table) == pack)
        {
            throw new ExpectedFailureException(ExitCode.Usage, $"--mask-table '{table}' is the pack itself. Give the table another name.");
        }
    }

    private static string Full(string path) => path.Length == 0 || path.Contains('\0', StringComparison.Ordinal) ? path : Path.GetFullPath(path);

    private void Add(EvidencePack pack, string path)
    {
        string name = CliHost.NameOf(path);
        try
        {
            if (Directory.Exists(path))
            {
                _series.Add(path);
                return;
            }

            using InputFile file = InputFile.Open(path, host.OpenNamed);
            if (MonitorSeries.IsMonitorFile(file.Head.Span))
            {
                _series.Add(path);
            }
            else if (ReportInputs.IsJson(file.Head.Span))
            {
                pack.AddDocument(path == CliHost.StandardInput ? "input.json" : name, file.ReadAll(ReportJson.DefaultMaxBytes, "a document"));
            }
            else if (path != CliHost.StandardInput && PackCaptures.TryRecognise(path) is { } capture)
            {
                _given.Add(capture);
            }
            else
            {
                _series.Add(path != CliHost.StandardInput ? path : throw new ExpectedFailureException(
                    ExitCode.Input, "Standard input is no document of this program. A pack takes only documents from it."));
            }
        }
        catch (Exception e) when (UnreadableFile.Explains(e) || e is ExpectedFailureException { Code: ExitCode.Input })
        {
            Unreadable(pack, name, e as ExpectedFailureException ?? UnreadableFile.Of(path, e));
        }
    }

    private void Unreadable(EvidencePack pack, string name, ExpectedFailureException failure)
    {
        _first ??= failure;
        pack.LeaveOut(name, failure.Message);
    }

    /// <summary>Files of series are not packed as they are: what was found in them is, as one document.</summary>
    private void AddSeries(EvidencePack pack, CommonValues common)
    {
        if (_series.Count == 0)
        {
            return;
        }

        try
        {
            if (ReportInputs.Read(host, _series, reading, Gate.Open).JudgedSeries(limits, seed) is not { } series)
            {
                return;
            }

            pack.AddDocument("series.json", Encoding.UTF8.GetBytes(ReportJson.SerializeAny(PublishedDocuments.Sealed(series, host.Seal(common)))));
            pack.AddNote("Files of series are in the pack as the document that was made of them.");
        }
        catch (ExpectedFailureException e) when (e.Code == ExitCode.Input)
        {
            Unreadable(pack, _series.Count == 1 ? _series[0] : "files of series", e);
        }
    }

    /// <summary>Tokens must not leave the machine: those of files that command lines name, where they are here, are searched for.</summary>
    private static void AddTokens(EvidencePack pack)
    {
        foreach (string path in pack.TokenFiles.Where(PackCaptures.IsPlainFile))
        {
            try
            {
                byte[] bytes = InputFile.ReadAll(path, p => File.OpenRead(p), MostTokenBytes, "a token");
                pack.AddToken(Encoding.UTF8.GetString(bytes).Trim());
            }
            catch (Exception e) when (UnreadableFile.Explains(e) || e is ExpectedFailureException)
            {
                // What cannot be read here was not read by whoever made the documents here, either.
            }
        }
    }

    /// <summary>A snapshot of this machine, where the documents are about it and have none.</summary>
    private HostSnapshot? Snapshot(EvidencePack pack)
    {
        if (pack.HasSnapshot)
        {
            return null;
        }

        if (host.LiveSnapshot is { } take && host.Machine is { } machine && pack.Machines.Contains(machine.ToLowerInvariant()))
        {
            return take();
        }

        pack.AddNote("The pack has no snapshot of settings. On the host: latencytuner snapshot snapshot.json. Then pack that file, too.");
        return null;
    }

    /// <summary>What the page shows: the same as the report of the same files, of the documents as they are in the pack.</summary>
    private Document[] Shown(EvidencePack pack, DocumentOrigin? said)
    {
        IReadOnlyList<string> entries = pack.EndAdding(said);
        ReportInputs inputs = ReportInputs.Read(host, entries, reading, Gate.Open, pack.Open);
        SeriesReport? series = inputs.JudgedSeries(limits, seed);
        IEnumerable<Document> whole = new Document?[] { series }.OfType<Document>().Concat(inputs.Documents);
        return inputs.IsFleet ? [inputs.Fleet(series), .. whole] : [.. whole];
    }

    private void WriteTable(EvidencePack pack)
    {
        if (request.MaskTable is not { } table)
        {
            return;
        }

        try
        {
            StringBuilder text = new("name\tmask\r\n");
            foreach ((string name, string mask) in pack.Table)
            {
                text.Append(name.Replace('\t', ' ').ReplaceLineEndings(" ")).Append('\t').Append(mask).Append("\r\n");
            }

            host.CreatePrivateFile(table, Encoding.UTF8.GetBytes(text.ToString()));
        }
        catch (Exception e) when (UnreadableFile.Explains(e))
        {
            throw File.Exists(table)
                ? new ExpectedFailureException(ExitCode.Usage, $"--mask-table '{table}' exists already. It would replace the names of another pack.", e)
                : new ExpectedFailureException(ExitCode.Platform, $"--mask-table '{table}' cannot be written: {OutputFile.Reason(e)}.", e);
        }
    }

    private void Place(OutputFile zip)
    {
        try
        {
            zip.Commit();
        }
        catch (ExpectedFailureException) when (request.MaskTable is { } table && zip.Beside is null)
        {
            File.Delete(table);
            throw;
        }
    }
}
