namespace LatencyTuner.Core.Etw.Sessions;

/// <summary>What Windows reports about a process id.</summary>
/// <param name="IsRunning">False only when no process has the id.</param>
/// <param name="StartedUtc">When the process started; null when this process has no right to ask, for example for processes of other users.</param>
public readonly record struct KnownProcess(bool IsRunning, DateTimeOffset? StartedUtc);
