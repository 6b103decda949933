using System.Collections.Concurrent;
using System.Runtime.ExceptionServices;
using LatencyTuner.Core.Capture;

namespace LatencyTuner.Core.Analysis.Captures;

/// <summary>
/// Takes segments, in their order, to a thread that follows their connections while the next ones are read and decoded. The number that may wait is
/// fixed, and their room is used again. Fewer than a batch of them stay on the thread that adds them.
/// </summary>
/// <param name="follow">Gets one batch after the other.</param>
internal sealed class SegmentQueue(SegmentQueue.Follow follow) : IDisposable
{
    private const int BatchLength = 256;
    private const int Batches = 8;

    private readonly BlockingCollection<TcpSegment[]> _full = [];
    private readonly BlockingCollection<TcpSegment[]> _free = [];
    private TcpSegment[] _batch = new TcpSegment[BatchLength];
    private int _count;
    private Task? _follower;
    private volatile ExceptionDispatchInfo? _failure;

    /// <summary>Follows a batch.</summary>
    public delegate void Follow(ReadOnlySpan<TcpSegment> segments);

    /// <summary>Room for the next segment, which may be filled in vain.</summary>
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
            for (int i = 1; i < Batches; i++)
            {
                _free.Add(new TcpSegment[BatchLength]);
            }

            _follower = Task.Factory.StartNew(FollowAll, CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
        }

        _full.Add(_batch);
        _batch = _free.Take();
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

    public void Dispose()
    {
        End();
        _full.Dispose();
        _free.Dispose();
    }

    private void End()
    {
        _full.CompleteAdding();
        _follower?.Wait();
    }

    private void FollowAll()
    {
        foreach (TcpSegment[] batch in _full.GetConsumingEnumerable())
        {
            try
            {
                if (_failure is null)
                {
                    follow(batch);
                }
            }
            catch (Exception failure)
            {
                // Thrown where segments are added; the batches on their way there are still given back.
                _failure = ExceptionDispatchInfo.Capture(failure);
            }

            _free.Add(batch);
        }
    }
}
