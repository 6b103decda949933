namespace LatencyTuner.Core.Measurement.Probes;

/// <summary>
/// The lines of a run wait here until each has had its first answer, so that their common schedule begins for all of them together. A first
/// answer may take far longer than later ones: the server loads its application, and this program loads code.
/// </summary>
/// <param name="lines">Number of lines.</param>
/// <param name="period">Time from one request of a line to its next.</param>
/// <param name="time">The clock.</param>
internal sealed class CommonStart(int lines, TimeSpan period, TimeProvider time) : IDisposable
{
    /// <summary>The longest wait: a target that hangs delays the others no longer than this.</summary>
    private static readonly TimeSpan Longest = TimeSpan.FromSeconds(5);

    private readonly ManualResetEventSlim _all = new(false);
    private int _left = lines;
    private long _start;

    /// <summary>Waits for the other lines.</summary>
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
            // The line checks for the cancellation itself.
        }
        long own = time.GetTimestamp() + (long)(period.TotalSeconds * time.TimestampFrequency);
        long others = Interlocked.CompareExchange(ref _start, own, 0);
        return others == 0 ? own : others;
    }

    /// <inheritdoc/>
    public void Dispose() => _all.Dispose();
}
