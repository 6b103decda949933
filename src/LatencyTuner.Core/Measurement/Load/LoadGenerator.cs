using System.Net.Sockets;
using LatencyTuner.Core.Measurement.Loops;
using LatencyTuner.Core.Measurement.Protocol;
using LatencyTuner.Core.Sockets;

namespace LatencyTuner.Core.Measurement.Load;

/// <summary>The connections that load the path during one phase.</summary>
internal sealed class LoadGenerator : IDisposable
{
    private const int StackBytes = 256 * 1024;
    private static readonly bool[] Ways = [true, false];
    private static readonly TimeSpan Slice = TimeSpan.FromMilliseconds(20);
    private static readonly TimeSpan Grace = TimeSpan.FromSeconds(3);
    private static readonly TimeSpan ResultGrace = TimeSpan.FromSeconds(1);
    private readonly MeasuringContext _context;
    private readonly List<LoadStream> _streams = [];
    private readonly MeasuringThreads _threads;
    private readonly List<LoadBin> _bins = [];
    private List<KernelCounters> _start = [];
    private List<KernelCounters> _end = [];

    private LoadGenerator(MeasuringContext context)
    {
        _context = context;
        _threads = new MeasuringThreads("load", StackBytes, _ => _streams.ForEach(s => s.Stop()));
    }

    /// <summary>True when every connection has ended by itself.</summary>
    internal bool Idle => _streams.TrueForAll(s => s.Ended);

    /// <summary>Opens the connections; nothing is sent yet.</summary>
    /// <exception cref="PeerFailureException">One was refused.</exception>
    internal static LoadGenerator Open(MeasurementTarget target, LoadPlan plan, ByteBudget budget, MeasuringContext context, CancellationToken cancellation)
    {
        LoadGenerator load = new(context);
        try
        {
            for (int i = 0; i < plan.Connections; i++)
            {
                if (plan.Up)
                {
                    load._streams.Add(new UploadStream(load.Connect(target, plan, UploadStream.Workload, cancellation), context, budget));
                }

                if (plan.Down)
                {
                    load._streams.Add(new DownloadStream(load.Connect(target, plan, DownloadStream.Workload, cancellation), context, budget));
                }
            }

            return load;
        }
        catch
        {
            load.Dispose();
            throw;
        }
    }

    public void Dispose()
    {
        // Needed only when something else has failed already; the caller sees that failure.
        _streams.ForEach(s => s.Stop());
        End(_context.Time.GetTimestamp());
        _streams.ForEach(s => s.Dispose());
    }

    internal void Start()
    {
        foreach (LoadStream stream in _streams)
        {
            _threads.Start(stream.Run, stream.Up ? "load up" : "load down");
        }
    }

    /// <summary>Samples how many bytes the load has moved so far.</summary>
    internal void Look() => _bins.Add(new LoadBin(
        _context.Time.GetTimestamp(), _streams.Where(s => s.Up).Sum(s => s.Delivered), _streams.Where(s => !s.Up).Sum(s => s.Delivered)));

    /// <summary>Begins the counted time.</summary>
    internal void BeginCounting()
    {
        _bins.Clear();
        Look();
        _start = Counters();
    }

    /// <summary>Ends the counted time.</summary>
    internal void EndCounting()
    {
        Look();
        // The rate of a very short interval means nothing: it is merged with the interval before.
        if (_bins is [.., var before, var begun, var now] && 2 * (now.Timestamp - begun.Timestamp) < begun.Timestamp - before.Timestamp)
        {
            _bins.RemoveAt(_bins.Count - 2);
        }

        _end = Counters();
    }

    /// <summary>Ends the load: gives data in flight a grace time to arrive, aborts the rest, and collects the responder's results.</summary>
    internal IReadOnlyList<LoadSide> Stop(CancellationToken cancellation)
    {
        _streams.ForEach(s => s.Stop());
        long deadline = _context.Time.GetTimestamp() + (long)(Grace.TotalSeconds * _context.Time.TimestampFrequency);
        End(cancellation.IsCancellationRequested ? 0 : deadline);
        _threads.Join();
        RunResult?[] results = new RunResult?[_streams.Count];
        if (!cancellation.IsCancellationRequested)
        {
            _streams.ForEach(s => s.Peer.CloseSending());
            // Data in flight may have used all of the grace time, and the results arrive after it.
            deadline = Math.Max(deadline, _context.Time.GetTimestamp() + (long)(ResultGrace.TotalSeconds * _context.Time.TimestampFrequency));
            for (int i = 0; i < results.Length; i++)
            {
                results[i] = _streams[i] is { Failure: null, Aborted: false } ? _streams[i].Peer.Finish(deadline, CancellationToken.None, out _) : null;
            }
        }

        for (int i = 0; i < results.Length; i++)
        {
            if (results[i] is null)
            {
                _streams[i].Abort();
            }
        }

        return [.. Ways.Where(up => _streams.Exists(s => s.Up == up)).Select(up => Side(up, results))];
    }

    private PeerConnection Connect(MeasurementTarget target, LoadPlan plan, Workload workload, CancellationToken cancellation)
    {
        PeerConnection peer = PeerConnection.Open(target, plan.Probe with { Workload = workload, Watch = true }, null, _context, cancellation);
        try
        {
            _context.Platform.SetTimeouts(peer.Socket, (int)plan.Probe.ReplyTimeout.TotalMilliseconds);
            _context.Platform.SetBlocking(peer.Socket, true);
            return peer;
        }
        catch (SocketException e)
        {
            peer.Dispose();
            throw new PeerFailureException($"A connection to {target.Name} failed before the load began: {e.Message.TrimEnd('.')}.", e);
        }
    }

    private List<KernelCounters> Counters() => _streams.ConvertAll(s => s.Up ? _context.Platform.ReadCounters(s.Peer.Socket) : KernelCounters.Unsupported);

    /// <summary>Waits for the threads until the deadline, then makes them return.</summary>
    private void End(long deadline)
    {
        while (!_threads.WaitAll(Slice) && _context.Time.GetTimestamp() < deadline)
        {
        }

        if (!_threads.WaitAll(TimeSpan.Zero))
        {
            _streams.FindAll(s => !s.Ended).ForEach(s => s.Abort());
        }

        _ = _threads.WaitAll(Timeout.InfiniteTimeSpan);
    }

    private LoadSide Side(bool up, RunResult?[] results)
    {
        int[] mine = [.. Enumerable.Range(0, _streams.Count).Where(i => _streams[i].Up == up)];
        TimeSpan elapsed = _bins.Count > 1 ? _context.Time.GetElapsedTime(_bins[0].Timestamp, _bins[^1].Timestamp) : TimeSpan.Zero;
        RunResult[] told = [.. mine.Select(i => results[i]).OfType<RunResult>()];
        long Moved(LoadBin from, LoadBin to) => Math.Max(up ? to.UpBytes - from.UpBytes : to.DownBytes - from.DownBytes, 0);
        return new LoadSide
        {
            Up = up,
            Connections = mine.Length,
            Bytes = _bins.Count > 1 ? Moved(_bins[0], _bins[^1]) : 0,
            Elapsed = elapsed,
            BytesPerSecond =
                [.. _bins.Zip(_bins.Skip(1))
                    .Select(p => Moved(p.First, p.Second) / Math.Max(_context.Time.GetElapsedTime(p.First.Timestamp, p.Second.Timestamp).TotalSeconds, 1e-6))],
            Failed = mine.Count(i => _streams[i].Failure is not null),
            Failure = mine.Select(i => _streams[i].Failure).FirstOrDefault(f => f is not null),
            Server = told.Select(r => r.Host).FirstOrDefault(h => h is not null),
            Sender = up ? [.. mine.Where(i => i < _start.Count && i < _end.Count).Select(i => (_start[i], _end[i]))] : [.. told.Select(r => (r.Start, r.End))],
            SenderElapsed = up ? elapsed : TimeSpan.FromMicroseconds(told.Select(r => r.Host?.ElapsedNs ?? 0).DefaultIfEmpty().Max() / 1e3),
        };
    }
}

/// <summary>The bytes that the load had moved at one moment.</summary>
/// <param name="Timestamp">The moment on the run's clock.</param>
/// <param name="UpBytes">Bytes acknowledged by the responder's system so far; where this system does not report them, bytes passed to it.</param>
/// <param name="DownBytes">Bytes received so far.</param>
internal readonly record struct LoadBin(long Timestamp, long UpBytes, long DownBytes);
