using LatencyTuner.Core;
using LatencyTuner.Core.Analysis.Recordings;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Recordings;
using LatencyTuner.Hosting;

namespace LatencyTuner.Commands;

/// <summary>Opens the captures and has them analysed, with progress by the bytes read.</summary>
internal static class AnalyzeRun
{
    public static RecordingResult Run(
        CliHost host, CommonValues common, IReadOnlyList<string> paths, RecordingFilter filter, SeverityLimits limits, CancellationToken cancellation)
    {
        if (paths.Count(p => p == "-") > 1)
        {
            throw new ExpectedFailureException(ExitCode.Usage, "Standard input can be read only once, but '-' was given more than once.");
        }

        // Text names a capture by its path; every other form is kept, and says by the hash whose evidence it is.
        bool isKept = common.Format != ReportFormat.Text;
        RecordingInput[] inputs = [.. paths.Select(p => new RecordingInput(p, () => Open(host, p), isKept))];
        long total = paths.Contains("-") ? 0 : paths.Sum(LengthOf);
        return ProgressLine.Run(host, common, progress => RecordingAnalysis.Run(
            inputs, filter, limits, read => progress?.Report(new MeasurementProgress(total > 0 ? Math.Min((double)read / total, 1) : null, "reading")),
            cancellation));
    }

    private static Stream Open(CliHost host, string path)
    {
        try
        {
            return path == "-" ? host.OpenInput() : new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete, bufferSize: 0);
        }
        catch (Exception e) when (UnreadableFile.Explains(e))
        {
            throw UnreadableFile.Of(path, e);
        }
    }

    private static long LengthOf(string path) => File.Exists(path) ? new FileInfo(path).Length : 0;
}
