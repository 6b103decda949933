namespace LatencyTuner.Core.Reporting.Model;

/// <summary>What a monitor adds to its own measurement, and what it told while it ran.</summary>
public sealed record MonitorFigures
{
    /// <summary>From the planned time to the send; null when nothing was sent.</summary>
    public LatencyFigures? SendLateness { get; init; }

    /// <summary>Longest time an answer can have lain unseen because another target was being served; null without targets that share a thread.</summary>
    public LatencyFigures? ReceiveLateness { get; init; }

    /// <summary>The first thousand alerts.</summary>
    public IReadOnlyList<MonitorAlertFigures> Alerts { get; init; } = [];

    /// <summary>All alerts.</summary>
    public required long AlertCount { get; init; }
}
