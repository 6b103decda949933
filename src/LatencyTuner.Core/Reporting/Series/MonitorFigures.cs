using LatencyTuner.Core.Statistics;

namespace LatencyTuner.Core.Reporting.Series;

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

/// <summary>A limit that was passed, or kept again.</summary>
public sealed record MonitorAlertFigures
{
    /// <summary>Event id: 1010 limit passed, 1011 kept again, 1012 no answer, 1013 answers again.</summary>
    public required int Id { get; init; }

    /// <summary>Start of the interval that showed it.</summary>
    public required DateTimeOffset AtUtc { get; init; }

    /// <summary>The target.</summary>
    public required string Target { get; init; }

    /// <summary>What happened, a sentence.</summary>
    public required string Text { get; init; }
}
