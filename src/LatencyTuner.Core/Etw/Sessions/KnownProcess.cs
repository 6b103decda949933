namespace LatencyTuner.Core.Etw.Sessions;

/// <summary>What Windows says of a process id.</summary>
/// <param name="IsRunning">False only when no process has the id.</param>
/// <param name="StartedUtc">When it started; null when that may not be asked, which is so for processes of others.</param>
public readonly record struct KnownProcess(bool IsRunning, DateTimeOffset? StartedUtc);
