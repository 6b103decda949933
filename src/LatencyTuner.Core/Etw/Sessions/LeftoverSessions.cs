namespace LatencyTuner.Core.Etw.Sessions;

/// <summary>Finds sessions of this program whose process is gone.</summary>
public static class LeftoverSessions
{
    /// <summary>
    /// Start times of one process as told at different times differ by the step of the clock; a process that has had an id before was not started within this.
    /// </summary>
    private static readonly TimeSpan SameStart = TimeSpan.FromSeconds(1);

    /// <summary>Chooses what may be stopped: sessions that name this program, and a process that has ended. In doubt a session is somebody's.</summary>
    /// <param name="sessions">Names of all sessions of the machine.</param>
    /// <param name="find">Tells about a process id.</param>
    public static IReadOnlyList<string> Among(IEnumerable<string> sessions, Func<int, KnownProcess> find)
    {
        ArgumentNullException.ThrowIfNull(sessions);
        ArgumentNullException.ThrowIfNull(find);
        return [.. sessions.Where(s => SessionName.TryParse(s) is { } name && IsGone(name, find(name.ProcessId)))];
    }

    private static bool IsGone(SessionName name, KnownProcess process) =>
        !process.IsRunning || (process.StartedUtc is { } started && (started - name.StartedUtc).Duration() > SameStart);
}
