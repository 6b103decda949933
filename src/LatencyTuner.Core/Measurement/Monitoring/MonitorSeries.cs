using LatencyTuner.Core.Histograms;
using LatencyTuner.Core.Inputs;
using LatencyTuner.Core.Series;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Measurement.Monitoring;

/// <summary>Reads the series that a monitor stored.</summary>
public static class MonitorSeries
{
    private const int MostTargets = 4096;
    private const int BatchBytes = 1 << 15;
    private static readonly MonitorReading NoInterval = new("", default, default, new DecodedBuckets(), 0, 0, default, default);

    /// <summary>Whether a monitor stored the file.</summary>
    /// <param name="head">Its first bytes.</param>
    public static bool IsMonitorFile(ReadOnlySpan<byte> head) => head.Length > 18 && head[8] == ' ' && head[9..].StartsWith("LTMONITOR"u8);

    /// <summary>Reads a folder or one of its files: a series for each target, bins as long as the intervals.</summary>
    /// <param name="path">Folder or file.</param>
    /// <param name="options">Bin length, exclusions and limit.</param>
    /// <exception cref="ExpectedFailureException">It contains no record of a monitor.</exception>
    public static IReadOnlyList<ObservedSeries> Read(string path, SeriesReadOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        bool folder = Directory.Exists(path);
        Dictionary<string, (ObservedSeries Series, SeriesAccumulator Rows, Troubles Troubles)> targets = [];
        long damaged = 0;
        foreach (string file in folder ? MonitorStore.Files(path) : [path])
        {
            using FileStream stream = new(file, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete, 1 << 16, FileOptions.SequentialScan);
            bool isHeader = true;
            foreach (MonitorReading? reading in ReadAhead.Select(Batches(new MonitorLines(stream)), Read).SelectMany(r => r))
            {
                if (reading is { Target: "" })
                {
                    // Every file begins with a line that has a checksum and no interval.
                    damaged += isHeader ? 0 : 1;
                }
                else if (reading is not null && !isHeader)
                {
                    Add(targets, reading, path, options);
                }
                else
                {
                    damaged++;
                }

                isHeader = false;
            }
        }
        if (targets.Count == 0)
        {
            throw new ExpectedFailureException(ExitCode.Input, $"{path} contains no {(damaged > 0 ? "readable " : "")}record of 'latencytuner monitor'.");
        }

        List<ObservedSeries> read = [];
        List<string> silent = [];
        foreach ((ObservedSeries series, SeriesAccumulator rows, Troubles troubles) in targets.Values)
        {
            rows.Finish();
            series.NoteList.AddRange(troubles.Sentences());
            if (series.Distribution.Count > 0)
            {
                read.Add(series);
            }
            else
            {
                silent.Add(series.Name);
            }
        }
        if (silent.Count > 0 && read.Count > 0)
        {
            read[0].NoteList.Add($"These targets were monitored too, but never answered: {string.Join(", ", silent)}.");
        }

        if (damaged > 0 && read.Count > 0)
        {
            read[0].NoteList.Add($"Skipped {Counted.Of(damaged, "damaged record")} of {path}.");
        }

        return read.Count > 0 ? read : throw new ExpectedFailureException(ExitCode.Input, $"{path}: no target answered in the time that it covers.");
    }

    private static IEnumerable<List<byte[]>> Batches(MonitorLines lines)
    {
        while (lines.ReadSome(BatchBytes) is { } some)
        {
            yield return some;
        }
    }

    /// <summary>What the lines hold: null for one that is damaged, a reading without a target for one that is whole and no interval.</summary>
    private static MonitorReading?[] Read(List<byte[]> lines) =>
    [
        .. lines.Select(l => MonitorRecord.TryOpen(l, out ReadOnlySpan<byte> text) ? MonitorRecord.Read(text) ?? NoInterval : null),
    ];

    private static void Add(
        Dictionary<string, (ObservedSeries Series, SeriesAccumulator Rows, Troubles Troubles)> targets, MonitorReading interval, string path,
        SeriesReadOptions options)
    {
        if (!targets.TryGetValue(interval.Target, out (ObservedSeries Series, SeriesAccumulator Rows, Troubles Troubles) target))
        {
            if (targets.Count == MostTargets)
            {
                throw new ExpectedFailureException(ExitCode.Input, $"{path} has more than {MostTargets} targets.");
            }

            ObservedSeries series = new(interval.Target, "monitor");
            target = (series, new SeriesAccumulator(series, options with { WindowRows = Math.Min(options.WindowRows, 100_000) }), new Troubles());
            targets.Add(interval.Target, target);
        }
        double middle = (interval.StartUtc.ToUnixTimeMilliseconds() + (interval.Duration.TotalMilliseconds / 2)) / 1e3;
        target.Rows.Add(middle, interval.Response);
        target.Troubles.Add(interval);
    }

    /// <summary>Failures, missed requests, pauses and clock steps of one target.</summary>
    private sealed class Troubles
    {
        private long _errors;
        private long _missed;
        private int _steps;
        private TimeSpan _largest;
        private DateTimeOffset _at;
        private int _stills;
        private TimeSpan _longest;
        private DateTimeOffset _longestAt;

        internal void Add(MonitorReading interval)
        {
            _errors += interval.Errors;
            _missed += interval.Missed;
            if (interval.StoodStill > TimeSpan.Zero)
            {
                _stills++;
                if (interval.StoodStill > _longest)
                {
                    (_longest, _longestAt) = (interval.StoodStill, interval.StartUtc + interval.Duration);
                }
            }
            if (interval.ClockStep == TimeSpan.Zero)
            {
                return;
            }

            _steps++;
            if (interval.ClockStep.Duration() > _largest.Duration())
            {
                (_largest, _at) = (interval.ClockStep, interval.StartUtc);
            }
        }

        internal IEnumerable<string> Sentences()
        {
            const string Why = "not tried: no connection, or this machine was suspended or not scheduled";
            if (_errors > 0)
            {
                yield return $"{Counted.Of(_errors, "exchange")} failed{(_missed > 0 ? $", {_missed} more {Why}" : "")}.";
            }
            else if (_missed > 0)
            {
                yield return $"{Counted.Of(_missed, "exchange")} {Why}.";
            }

            if (_stills > 0)
            {
                yield return $"This machine was suspended or not scheduled: {Counted.Of(_stills, "pause")}. The longest pause lasted "
                    + $"{_longest.TotalSeconds:0.0} s from {_longestAt.UtcDateTime:yyyy-MM-dd HH:mm:ss} UTC. Requests in flight then are not counted.";
            }

            if (_steps > 0)
            {
                yield return $"The clock was set, or the machine was suspended: {Counted.Of(_steps, "clock step")}. The largest step was "
                    + $"{_largest.TotalSeconds:0.0} s in the interval from {_at.UtcDateTime:yyyy-MM-dd HH:mm:ss} UTC.";
            }
        }
    }
}
