namespace LatencyTuner.Core.Recordings;

/// <summary>Runs two tasks at the same time that change no shared data: one on this thread, one on another thread.</summary>
internal static class ParallelPair
{
    /// <summary>Returns when both are done. Throws the exception of a failed task; when both failed, the exception of this thread's task.</summary>
    public static (THere Here, TBeside Beside) Run<THere, TBeside>(Func<THere> here, Func<TBeside> beside)
        where THere : class
        where TBeside : class
    {
        Task<TBeside> other = Task.Run(beside);
        THere done;
        try
        {
            done = here();
        }
        catch
        {
            // The other task's data must not change while it runs.
            Task.WaitAny(other);
            throw;
        }

        return (done, other.GetAwaiter().GetResult());
    }
}
