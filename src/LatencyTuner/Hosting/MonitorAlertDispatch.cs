using LatencyTuner.Core.Measurement.Monitoring;
using LatencyTuner.Core.Reporting.Series;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Hosting;

/// <summary>Hands the alerts of a monitor on: to the screen, to the report, and into the Event Log where there is one.</summary>
internal sealed class MonitorAlertDispatch(CliHost host, MonitorView view)
{
    private readonly List<MonitorAlert> _first = [];
    private string? _missing;

    /// <summary>The first of them.</summary>
    public IReadOnlyList<MonitorAlert> First => _first;

    /// <summary>All of them.</summary>
    public long Count { get; private set; }

    /// <summary>Hands one on; null does nothing.</summary>
    public void Raise(MonitorAlert? alert)
    {
        if (alert is null)
        {
            return;
        }

        Count++;
        if (_first.Count < MonitorReportBuilder.MostAlerts)
        {
            _first.Add(alert);
        }

        view.Tell(alert);
        if (host.EventLog is { } log
            && log(
                new EventEntry(
                    alert.Id, alert.IsWarning ? EventEntryLevel.Warning : EventEntryLevel.Information,
                    EventText.Escape($"latencytuner monitor: {alert.Text}"))) is { } missing
            && missing != _missing)
        {
            // Once, and again only for another reason.
            _missing = missing;
            view.Say(missing);
        }
    }
}
