namespace LatencyTuner.Core.Measurement.Monitoring;

/// <summary>What an operator is told when it happens: on the screen, in the report, and in the Event Log where there is one.</summary>
/// <param name="Id">The event id, fixed for good: alarms depend on it.</param>
/// <param name="IsWarning">True when something began, false when it is over.</param>
/// <param name="AtUtc">Start of the interval that showed it.</param>
/// <param name="Target">The target.</param>
/// <param name="Text">A sentence without the time.</param>
public sealed record MonitorAlert(int Id, bool IsWarning, DateTimeOffset AtUtc, string Target, string Text)
{
    /// <summary>The 99th percentile of an interval is above the limit.</summary>
    public const int LimitPassed = 1010;

    /// <summary>It is no longer.</summary>
    public const int LimitKept = 1011;

    /// <summary>No request of an interval was answered.</summary>
    public const int Silent = 1012;

    /// <summary>The target answers again.</summary>
    public const int AnswersAgain = 1013;
}
