using System.Runtime.ExceptionServices;
using LatencyTuner.Core;
using LatencyTuner.Core.Histograms;
using LatencyTuner.Core.Measurement.Loops;
using LatencyTuner.Hosting;

namespace LatencyTuner.Commands;

/// <summary>The files beside a measurement's report: time series, percentile distribution, interval log.</summary>
internal sealed class MeasurementFiles : IDisposable
{
    private readonly OutputFile? _series;
    private readonly OutputFile? _hgrm;
    private readonly OutputFile? _hlog;
    private readonly HlogWriter? _log;
    private readonly DateTimeOffset _start;
    private Exception? _trouble;

    public MeasurementFiles(string? series, string? hgrm, string? hlog, DateTimeOffset start)
    {
        _start = start;
        try
        {
            _series = series is null ? null : OutputFile.Open(series, "--series");
            _hgrm = hgrm is null ? null : OutputFile.Open(hgrm, "--hgrm");
            _hlog = hlog is null ? null : OutputFile.Open(hlog, "--hlog");
        }
        catch
        {
            Dispose();
            throw;
        }

        _series?.Writer.WriteLine("startUtc,durationMs,n,minUs,p10Us,p50Us,p90Us,p99Us,p99_9Us,maxUs");
        if (_hlog is not null)
        {
            _log = new HlogWriter(_hlog.Writer);
            _log.WriteHeader(start, $"Logged with {CliHost.Software}, response times in nanoseconds");
        }
    }

    public bool WantsIntervals => _series is not null || _hlog is not null;

    /// <summary>Adds an interval. A failed write is reported at the end; the measurement continues.</summary>
    public void Add(SeriesInterval interval)
    {
        try
        {
            if (_trouble is null)
            {
                Write(interval);
            }
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            _trouble = e;
        }
    }

    /// <summary>Writes the last lines and moves the files to their places; a run that ended early keeps what was written.</summary>
    public void Finish(MeasurementResult result)
    {
        if (_trouble is not null)
        {
            throw new ExpectedFailureException(ExitCode.Platform, $"The series or log could not be written: {_trouble.Message.TrimEnd('.')}.", _trouble);
        }

        if (_hgrm is not null)
        {
            HgrmWriter.Write(_hgrm.Writer, result.Response, HgrmWriter.MillisecondsNs);
        }

        if (!result.Complete)
        {
            _series?.Writer.WriteLine("# incomplete: the measurement ended early");
        }

        Exception? trouble = null;
        foreach (OutputFile file in new[] { _series, _hgrm, _hlog }.OfType<OutputFile>())
        {
            try
            {
                file.Commit();
            }
            catch (ExpectedFailureException e)
            {
                // The others are moved all the same.
                trouble ??= e;
            }
        }

        if (trouble is not null)
        {
            ExceptionDispatchInfo.Throw(trouble);
        }
    }

    private void Write(SeriesInterval interval)
    {
        LatencyHistogram h = interval.Response;
        double Us(double percentile) => h.ValueAtPercentile(percentile) / 1e3;
        _series?.Writer.WriteLine(
            $"{interval.Start.UtcDateTime:yyyy-MM-ddTHH:mm:ss.fffZ},{interval.Duration.TotalMilliseconds:0.###},{h.Count},{h.MinNs / 1e3},"
            + $"{Us(10)},{Us(50)},{Us(90)},{Us(99)},{Us(99.9)},{h.MaxNs / 1e3}");
        if (_log is not null)
        {
            long from = Math.Max(0, (long)(interval.Start - _start).TotalNanoseconds);
            _log.WriteInterval(from, from + (long)interval.Duration.TotalNanoseconds, h);
        }
    }

    public void Dispose()
    {
        _series?.Dispose();
        _hgrm?.Dispose();
        _hlog?.Dispose();
    }
}
