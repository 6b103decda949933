namespace LatencyTuner.Core.Measurement.Monitoring;

/// <summary>An event that the operator is notified of: on the screen, in the report, and in the Event Log where there is one.</summary>
/// <param name="Id">The event ID, which never changes: alarms depend on it.</param>
/// <param name="IsWarning">True when a problem began, false when it is over.</param>
/// <param name="AtUtc">Start of the interval that showed it.</param>
/// <param name="Target">The target.</param>
/// <param name="Text">The message, a sentence without the time.</param>
public sealed record MonitorAlert(int Id, bool IsWarning, DateTimeOffset AtUtc, string Target, string Text)
{
    /// <summary>The 99th percentile of an interval is above the limit.</summary>
    public const int LimitPassed = 1010;

    /// <summary>The 99th percentile is no longer above the limit.</summary>
    public const int LimitKept = 1011;

    /// <summary>No request of an interval was answered.</summary>
    public const int Silent = 1012;

    /// <summary>The target answers again.</summary>
    public const int AnswersAgain = 1013;
}
