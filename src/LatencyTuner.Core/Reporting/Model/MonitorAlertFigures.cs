namespace LatencyTuner.Core.Reporting.Model;

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
