using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Reporting.Analysis;

namespace LatencyTuner.Hosting;

/// <summary>
/// What a live trace shows while it runs: on a terminal one table that is drawn over; elsewhere a line on stderr when a finding appears or
/// becomes worse, and when events begin to be lost.
/// </summary>
internal sealed class TraceView(CliHost host, bool quiet, TimeSpan duration)
{
    private readonly bool _table = host.ErrorIsTerminal && !quiet && host.Lines is null;
    private readonly Dictionary<(string Id, string? Process, Side? Side, string? Host), Severity> _told = [];
    private readonly object _gate = new();
    private bool _lossTold;
    private int _drawn;

    public void Begun(string session)
    {
        if (!quiet)
        {
            Say($"Tracing for {Quantities.Format(duration)} in session {session}; Ctrl-C ends it earlier, with a report.");
        }
    }

    public void Say(string sentence)
    {
        lock (_gate)
        {
            Erase();
            host.Complain(sentence);
        }
    }

    public void Show(LiveTraceState state)
    {
        DateTimeOffset now = host.Time.GetUtcNow();
        host.Lines?.Progress(new(state.Elapsed / duration, $"tracing, {state.EventsPerSecond:0} events per second"));
        if (!_table)
        {
            Tell(state, now);
            return;
        }

        lock (_gate)
        {
            lock (host.Error)
            {
                Erase();
                IReadOnlyList<string> lines = LiveTraceText.Table(state.Found, state.Losses, now, state.Elapsed, duration, state.EventsPerSecond, host.Width);
                foreach (string line in lines)
                {
                    host.Error.WriteLine(line);
                }

                host.Error.Flush();
                _drawn = lines.Count;
            }
        }
    }

    /// <summary>Removes the table, so that only the report stays.</summary>
    public void End()
    {
        lock (_gate)
        {
            Erase();
        }
    }

    private void Tell(LiveTraceState state, DateTimeOffset now)
    {
        if (quiet)
        {
            return;
        }

        foreach (Finding finding in state.Found.Findings.Where(f => f.Cause != Cause.EvidenceIncomplete))
        {
            (string Id, string? Process, Side? Side, string? Host) key = (finding.Id, finding.Process, finding.Side, finding.Host);
            if (!_told.TryGetValue(key, out Severity before) || finding.Severity > before)
            {
                _told[key] = finding.Severity;
                host.Complain(LiveTraceText.Line(finding, now));
            }
        }

        if (state.Losses.Any && !_lossTold)
        {
            _lossTold = true;
            host.Complain(LiveTraceText.Lost(state.Losses, now));
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
}
