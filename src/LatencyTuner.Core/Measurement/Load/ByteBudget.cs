namespace LatencyTuner.Core.Measurement.Load;

/// <summary>The bytes that may still be sent or asked for; shared by all threads that make load.</summary>
internal sealed class ByteBudget(long bytes)
{
    private long _left = bytes;

    /// <summary>True once something was refused.</summary>
    internal bool Exhausted => Interlocked.Read(ref _left) < 0;

    /// <summary>Takes some; false when there is not enough left, and from then on always.</summary>
    internal bool Take(long count) => Interlocked.Add(ref _left, -count) >= 0;
}
