using LatencyTuner.Core.Measurement.Monitoring;
using LatencyTuner.Core.Reporting.Series;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Hosting;

/// <summary>Passes the alerts of a monitor to the screen, to the report, and to the Event Log where there is one.</summary>
internal sealed class MonitorAlertDispatch(CliHost host, MonitorView view)
{
    private readonly List<MonitorAlert> _first = [];
    private string? _missing;

    /// <summary>The first alerts, as many as a report lists.</summary>
    public IReadOnlyList<MonitorAlert> First => _first;

    /// <summary>The number of all alerts.</summary>
    public long Count { get; private set; }

    /// <summary>Passes an alert on; null does nothing.</summary>
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
            // Printed once for each reason in a row, not for each alert.
            _missing = missing;
            view.Say(missing);
        }
    }
}
