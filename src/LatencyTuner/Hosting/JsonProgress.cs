using System.Buffers;
using System.Text;
using System.Text.Json;
using LatencyTuner.Core;
using LatencyTuner.Core.Measurement.Monitoring;

namespace LatencyTuner.Hosting;

/// <summary>
/// What <c>--progress jsonl</c> writes on stdout, for a program that runs this one: one JSON object a line, in ASCII. The first is <c>started</c> and the last
/// <c>ended</c>.
/// </summary>
internal sealed class JsonProgress(TextWriter output, TimeProvider time)
{
    /// <summary>The value of the option.</summary>
    public const string Word = "jsonl";

    /// <summary>The time between two lines of progress: readers show at most four in a second.</summary>
    public static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(250);

    private readonly object _gate = new();
    private readonly long _began = time.GetTimestamp();
    private MeasurementProgress? _written;
    private bool _closed;

    /// <summary>The first line.</summary>
    /// <param name="version">Version of this program.</param>
    /// <param name="pid">Its process.</param>
    public void Started(string version, int pid) => Write("started", json =>
    {
        json.WriteString("version", version);
        json.WriteNumber("pid", pid);
    });

    /// <summary>How far the work is; nothing when that has not changed.</summary>
    public void Progress(MeasurementProgress progress)
    {
        if (progress == _written || progress.What is null)
        {
            return;
        }

        _written = progress;
        Write("progress", json =>
        {
            if (progress.Share is { } share && double.IsFinite(share))
            {
                json.WriteNumber("share", Math.Round(Math.Clamp(share, 0, 1), 4));
            }
            else
            {
                json.WriteNull("share");
            }

            json.WriteString("step", progress.What);
        });
    }

    /// <summary>The figures of one target in one interval of a monitor.</summary>
    public void Interval(MonitorInterval interval) => Write("interval", json =>
    {
        json.WriteString("target", interval.Target);
        json.WriteString("startedUtc", interval.StartUtc.UtcDateTime);
        json.WriteNumber("durationMs", Math.Round(interval.Duration.TotalMilliseconds, 3));
        json.WriteNumber("received", interval.Response.Count);
        Time(json, "p50Us", interval, 50);
        Time(json, "p99Us", interval, 99);
        Time(json, "maxUs", interval, 100);
        json.WriteNumber("errors", interval.Errors);
        json.WriteNumber("missed", interval.Missed);
        json.WriteString("lastError", interval.LastError);
    });

    /// <summary>A sentence that goes to stderr without this option.</summary>
    public void Message(string sentence) => Write("message", json => json.WriteString("text", sentence));

    /// <summary>The last line.</summary>
    /// <param name="code">The exit code.</param>
    public void Ended(int code) => Write("ended", json => json.WriteNumber("exitCode", code));

    private static void Time(Utf8JsonWriter json, string name, MonitorInterval interval, double percentile)
    {
        if (interval.Response.Count == 0)
        {
            json.WriteNull(name);
            return;
        }

        json.WriteNumber(name, (percentile >= 100 ? interval.Response.MaxNs : interval.Response.ValueAtPercentile(percentile)) / 1e3);
    }

    private void Write(string kind, Action<Utf8JsonWriter> rest)
    {
        ArrayBufferWriter<byte> line = new();
        using (Utf8JsonWriter json = new(line))
        {
            json.WriteStartObject();
            json.WriteString("schema", "latencytuner/progress/1");
            json.WriteString("event", kind);
            json.WriteString("atUtc", time.GetUtcNow().UtcDateTime);
            json.WriteNumber("elapsedMs", Math.Round(time.GetElapsedTime(_began).TotalMilliseconds));
            rest(json);
            json.WriteEndObject();
        }

        lock (_gate)
        {
            if (_closed)
            {
                return;
            }

            try
            {
                output.Write(Encoding.ASCII.GetString(line.WrittenSpan) + "\n");
                output.Flush();
            }
            catch (IOException)
            {
                // The reader went away. The document in its file is what counts.
                _closed = true;
            }
        }
    }
}
