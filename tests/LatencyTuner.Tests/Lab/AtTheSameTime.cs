namespace LatencyTuner.Tests.Lab;

/// <summary>Measurements over slow paths, each in a lab of its own, made at the same time: they wait far more than they work.</summary>
internal sealed class AtTheSameTime<TKey, TValue>(IReadOnlyList<TKey> keys, Func<TKey, TValue> measure)
    where TKey : notnull
{
    private readonly Lazy<Dictionary<TKey, Task<TValue>>> _running = new(() => keys.ToDictionary(
        k => k, k => Task.Factory.StartNew(() => measure(k), CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default)));

    /// <summary>One of them, once it is there; the first call starts all.</summary>
    public TValue Of(TKey key) => _running.Value[key].GetAwaiter().GetResult();
}
