namespace LatencyTuner.Core.Measurement.Loops;

/// <summary>Shared by the threads of one run: the start, the stop flag, and the first failure.</summary>
internal sealed class RunControl
{
    private volatile bool _stop;
    private string? _failure;

    internal bool Stopped => _stop;

    /// <summary>The first failure, a sentence; null when none.</summary>
    internal string? Failure => Volatile.Read(ref _failure);

    /// <summary>True when the user or the caller asked to stop, so that disconnects are not failures.</summary>
    internal bool Cancelled { get; private set; }

    internal void Cancel()
    {
        Cancelled = true;
        _stop = true;
    }

    internal void Fail(string sentence)
    {
        if (!_stop)
        {
            Interlocked.CompareExchange(ref _failure, sentence, null);
        }

        _stop = true;
    }
}
