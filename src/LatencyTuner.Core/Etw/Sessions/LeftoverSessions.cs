namespace LatencyTuner.Core.Etw.Sessions;

/// <summary>Finds sessions of this program whose process has ended.</summary>
public static class LeftoverSessions
{
    /// <summary>
    /// Start times of one process that are read at different times can differ by the clock step. A new process with the same id starts later than this.
    /// </summary>
    private static readonly TimeSpan SameStart = TimeSpan.FromSeconds(1);

    /// <summary>Selects the sessions that can be stopped: sessions of this program whose process has ended. In doubt, a session is kept.</summary>
    /// <param name="sessions">Names of all sessions of the machine.</param>
    /// <param name="find">Looks up a process id.</param>
    public static IReadOnlyList<string> Among(IEnumerable<string> sessions, Func<int, KnownProcess> find)
    {
        ArgumentNullException.ThrowIfNull(sessions);
        ArgumentNullException.ThrowIfNull(find);
        return [.. sessions.Where(s => SessionName.TryParse(s) is { } name && IsGone(name, find(name.ProcessId)))];
    }

    private static bool IsGone(SessionName name, KnownProcess process) =>
        !process.IsRunning || (process.StartedUtc is { } started && (started - name.StartedUtc).Duration() > SameStart);
}
