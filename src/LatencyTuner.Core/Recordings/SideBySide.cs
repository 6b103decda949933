namespace LatencyTuner.Core.Recordings;

/// <summary>Does two things that share nothing they change at the same time: one on this thread, one beside it.</summary>
internal static class SideBySide
{
    /// <summary>Returns when both are done. Throws what one of them threw; of two failures that of this thread, whichever came first.</summary>
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
            // What it works on must not change under it.
            Task.WaitAny(other);
            throw;
        }

        return (done, other.GetAwaiter().GetResult());
    }
}
