using System.Threading.Channels;

namespace LatencyTuner.Hosting;

/// <summary>A bounded queue between measuring threads and a slower consumer: samples that it has no room for are dropped and counted.</summary>
internal sealed class SampleQueue : IDisposable
{
    private readonly Channel<(string Target, long Ns)> _queue;
    private readonly Task _drain;
    private long _dropped;

    public SampleQueue(int length, Action<string, long> take)
    {
        _queue = Channel.CreateBounded<(string, long)>(new BoundedChannelOptions(length) { SingleReader = true });
        _drain = Task.Run(async () =>
        {
            await foreach ((string target, long ns) in _queue.Reader.ReadAllAsync().ConfigureAwait(false))
            {
                take(target, ns);
            }
        });
    }

    /// <summary>The number of samples that were dropped because the queue was full.</summary>
    public long Dropped => Interlocked.Read(ref _dropped);

    /// <summary>Adds a sample; returns at once.</summary>
    public void Add(string target, long ns)
    {
        if (!_queue.Writer.TryWrite((target, ns)))
        {
            Interlocked.Increment(ref _dropped);
        }
    }

    /// <summary>Delivers the queued samples, for two seconds at most.</summary>
    public void Dispose()
    {
        _queue.Writer.TryComplete();
        _drain.Wait(TimeSpan.FromSeconds(2));
    }
}
