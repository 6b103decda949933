namespace LatencyTuner.Core.Measurement.Probes;

/// <summary>
/// Where the lines of a run wait until each has had its first answer, which may take far longer than those after it (a server that
/// loads its application, what this program loads itself), so that the schedule they share begins for all of them together.
/// </summary>
/// <param name="lines">How many there are.</param>
/// <param name="period">Time from one to the next of a line's requests.</param>
/// <param name="time">The clock.</param>
internal sealed class CommonStart(int lines, TimeSpan period, TimeProvider time) : IDisposable
{
    /// <summary>A target that hangs holds up the others no longer.</summary>
    private static readonly TimeSpan Longest = TimeSpan.FromSeconds(5);

    private readonly ManualResetEventSlim _all = new(false);
    private int _left = lines;
    private long _start;

    /// <summary>Waits for the others.</summary>
    /// <returns>The timestamp at which the schedule begins: the same for all.</returns>
    internal long Await(CancellationToken stop)
    {
        if (Interlocked.Decrement(ref _left) == 0)
        {
            _all.Set();
        }

        try
        {
            _ = _all.Wait(Longest, stop);
        }
        catch (OperationCanceledException)
        {
            // The line sees it where it looks next.
        }
        long own = time.GetTimestamp() + (long)(period.TotalSeconds * time.TimestampFrequency);
        long others = Interlocked.CompareExchange(ref _start, own, 0);
        return others == 0 ? own : others;
    }

    /// <inheritdoc/>
    public void Dispose() => _all.Dispose();
}
