using System.Runtime.ExceptionServices;
using LatencyTuner.Core.Capture;

namespace LatencyTuner.Core.Recordings.Captures;

/// <summary>
/// Passes segments in order to a thread that follows their connections while the next segments are read and decoded. The number that may wait is
/// fixed, and their memory is reused. Fewer segments than a batch stay on the thread that adds them.
/// </summary>
/// <param name="follow">Called with one batch after the other.</param>
internal sealed class SegmentQueue(SegmentQueue.Follow follow) : IDisposable
{
    private const int BatchLength = 256;

    // Enough for the milliseconds in which either thread waits for its code to be compiled; more memory would only displace other data in the caches.
    private const int Batches = 24;

    // A waiting thread is woken when there is enough to do, not for every batch; it sleeps, because other threads need its processor.
    private const int Enough = Batches / 2;

    private readonly object _gate = new();
    private readonly TcpSegment[][] _batches = new TcpSegment[Batches][];
    private TcpSegment[] _batch = new TcpSegment[BatchLength];
    private int _count;
    private int _next;
    private Thread? _follower;
    private volatile ExceptionDispatchInfo? _failure;

    // Protected by the lock.
    private int _waiting;
    private bool _ended;

    /// <summary>Follows a batch.</summary>
    public delegate void Follow(ReadOnlySpan<TcpSegment> segments);

    /// <summary>The place of the next segment; it counts only after <see cref="Add"/>.</summary>
    public ref TcpSegment Next => ref _batch[_count];

    /// <summary>Adds the segment in <see cref="Next"/>. Throws what following an earlier one threw.</summary>
    public void Add()
    {
        if (++_count < BatchLength)
        {
            return;
        }

        if (_follower is null)
        {
            Start();
        }

        _next = (_next + 1) % Batches;
        lock (_gate)
        {
            _waiting++;
            Wake(_waiting == Enough);
            // The batch that is being filled counts as well.
            if (_waiting == Batches - 1)
            {
                while (_waiting > Batches - Enough)
                {
                    Monitor.Wait(_gate);
                }
            }
        }

        _batch = _batches[_next];
        _count = 0;
        _failure?.Throw();
    }

    /// <summary>Waits until all segments have been followed. Throws what following one threw.</summary>
    public void Finish()
    {
        End();
        _failure?.Throw();
        follow(_batch.AsSpan(0, _count));
        _count = 0;
    }

    public void Dispose() => End();

    private void Start()
    {
        _batches[0] = _batch;
        for (int i = 1; i < Batches; i++)
        {
            _batches[i] = new TcpSegment[BatchLength];
        }

        _follower = new Thread(FollowAll) { IsBackground = true, Name = "connections" };
        _follower.Start();
    }

    private void End()
    {
        lock (_gate)
        {
            _ended = true;
            Wake(true);
        }

        _follower?.Join();
    }

    private void Wake(bool needed)
    {
        if (needed)
        {
            Monitor.PulseAll(_gate);
        }
    }

    private void FollowAll()
    {
        for (int at = 0; Take(); at = (at + 1) % Batches)
        {
            try
            {
                if (_failure is null)
                {
                    follow(_batches[at]);
                }
            }
            catch (Exception failure)
            {
                // Thrown where segments are added; the batches on their way there are still given back.
                _failure = ExceptionDispatchInfo.Capture(failure);
            }

            lock (_gate)
            {
                _waiting--;
                Wake(_waiting == Batches - Enough);
            }
        }
    }

    /// <summary>Waits for a batch; false when no more will come.</summary>
    private bool Take()
    {
        lock (_gate)
        {
            if (_waiting == 0)
            {
                while (_waiting < Enough && !_ended)
                {
                    Monitor.Wait(_gate);
                }
            }

            return _waiting > 0;
        }
    }
}
