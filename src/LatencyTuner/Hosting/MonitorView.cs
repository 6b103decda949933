using System.Globalization;
using LatencyTuner.Core.Measurement.Monitoring;

namespace LatencyTuner.Hosting;

/// <summary>
/// What a monitor shows while it runs: on a terminal one table that is drawn over; elsewhere a line on stderr when a target stops
/// answering, answers again, passes a limit, or the clock jumps.
/// </summary>
internal sealed class MonitorView(CliHost host, bool quiet)
{
    // With the heading and two lines below, the table fits a terminal of 24 lines.
    private const int MostRows = 19;
    private readonly bool _table = host.ErrorIsTerminal && !quiet && host.Lines is null;
    private readonly Dictionary<string, Row> _rows = [];
    private int _drawn;
    private long _intervals;

    /// <summary>Adds one target's interval to the table.</summary>
    public void Add(MonitorInterval interval)
    {
        Row before = _rows.GetValueOrDefault(interval.Target) ?? new Row(0, 0, 0, 0, 0, 0, true);
        long n = interval.Response.Count;
        double p99 = interval.Response.ValueAtPercentile(99) / 1e6;
        bool answers = n > 0 || (interval.Errors == 0 && interval.Missed == 0 && before.Answers);
        _rows[interval.Target] = new Row(
            n, interval.Response.ValueAtPercentile(50) / 1e6, p99, interval.Response.MaxNs / 1e6, before.Total + n, before.Errors + interval.Errors, answers);
    }

    /// <summary>Prints an alert with its time.</summary>
    public void Tell(MonitorAlert alert) => Say($"{alert.AtUtc.UtcDateTime.ToString("HH:mm:ss 'UTC'", CultureInfo.InvariantCulture)} {alert.Text}");

    /// <summary>Prints a sentence above the table.</summary>
    public void Say(string sentence)
    {
        lock (host.Error)
        {
            Erase();
            host.Complain(sentence);
        }
    }

    /// <summary>Ends an interval: draws the table.</summary>
    public void Draw(MonitorInterval last)
    {
        _intervals++;
        (TimeSpan clockStep, DateTimeOffset at) = (last.ClockStep, last.StartUtc + last.Duration);
        if (last.StoodStill > TimeSpan.Zero)
        {
            Say($"{at.UtcDateTime:HH:mm:ss} UTC: this machine was suspended or not scheduled for {last.StoodStill.TotalSeconds:0.0} s.");
        }

        if (clockStep != TimeSpan.Zero)
        {
            Say(
                $"{at.UtcDateTime:HH:mm:ss} UTC: the clock jumped by {clockStep.TotalSeconds:+0.0;-0.0} s: it was set, or this machine was "
                + "suspended.");
        }

        if (!_table)
        {
            return;
        }

        lock (host.Error)
        {
            Erase();
            // Rows that change places are hard to read: the order stays, and only when the targets do not fit are the slowest chosen.
            IEnumerable<KeyValuePair<string, Row>> shown = _rows.Count <= MostRows ? _rows
                : _rows.OrderBy(r => r.Value.Answers).ThenByDescending(r => r.Value.P99).Take(MostRows);
            List<string> lines = [$"{"target, last interval",-28}{"requests",8}{"median",11}{"99th",11}{"max",11}{"errors",9}"];
            lines.AddRange(shown.Select(r => r.Value.N == 0
                ? $"{Cut(r.Key),-28}{0,8}{(r.Value.Answers ? "-" : "no answer"),11}{"-",11}{"-",11}{r.Value.Errors,9}"
                : $"{Cut(r.Key),-28}{r.Value.N,8}{r.Value.P50,8:0.000} ms{r.Value.P99,8:0.000} ms{r.Value.Max,8:0.000} ms{r.Value.Errors,9}"));
            lines.Add(
                $"{at.UtcDateTime:yyyy-MM-dd HH:mm:ss} UTC, interval {_intervals}, {_rows.Values.Sum(r => r.Total):N0} "
                + $"requests{(_rows.Count > MostRows ? $"; the {MostRows} slowest of {_rows.Count}" : "")}.");
            lines.Add("Ctrl-C ends with a report.");
            lines.ForEach(host.Error.WriteLine);
            host.Error.Flush();
            _drawn = lines.Count;
        }
    }

    /// <summary>Removes the table, so that only the report stays.</summary>
    public void End()
    {
        lock (host.Error)
        {
            Erase();
        }
    }

    private void Erase()
    {
        if (_drawn > 0)
        {
            host.Error.Write($"\u001b[{_drawn}A\u001b[0J");
            _drawn = 0;
        }
    }

    private static string Cut(string name) => name.Length <= 27 ? name : name[..24] + "...";

    private sealed record Row(long N, double P50, double P99, double Max, long Total, long Errors, bool Answers);
}
