using LatencyTuner.Core.Statistics;

namespace LatencyTuner.Core.Reporting.Series;

/// <summary>The delay that a monitor adds to its own measurement, and the alerts of its run.</summary>
public sealed record MonitorFigures
{
    /// <summary>Time from the planned to the actual send time; null when nothing was sent.</summary>
    public LatencyFigures? SendLateness { get; init; }

    /// <summary>Longest time that an answer may have waited unread because another target was being served; null without targets that share a thread.</summary>
    public LatencyFigures? ReceiveLateness { get; init; }

    /// <summary>The first thousand alerts.</summary>
    public IReadOnlyList<MonitorAlertFigures> Alerts { get; init; } = [];

    /// <summary>Number of all alerts.</summary>
    public required long AlertCount { get; init; }
}

/// <summary>An alert: a limit was exceeded, or is kept again.</summary>
public sealed record MonitorAlertFigures
{
    /// <summary>Event id: 1010 limit exceeded, 1011 limit kept again, 1012 no answer, 1013 target answers again.</summary>
    public required int Id { get; init; }

    /// <summary>Start of the interval that caused the alert.</summary>
    public required DateTimeOffset AtUtc { get; init; }

    /// <summary>Name of the target.</summary>
    public required string Target { get; init; }

    /// <summary>What happened, a sentence.</summary>
    public required string Text { get; init; }
}
