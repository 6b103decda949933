using System.Net.Sockets;
using LatencyTuner.Core.Measurement.Protocol;
using LatencyTuner.Core.Sockets;

namespace LatencyTuner.Core.Measurement.Load;

/// <summary>One connection that makes load in one direction, by blocking calls on a thread of its own.</summary>
internal abstract class LoadStream(PeerConnection peer, MeasuringContext context, ByteBudget budget) : IDisposable
{
    internal const int ChunkBytes = 64 * 1024;
    private volatile bool _stop;
    private volatile bool _aborted;
    private long _bytes;

    /// <summary>True when the bytes go to the responder.</summary>
    internal abstract bool Up { get; }

    /// <summary>Bytes passed to this system, or received.</summary>
    internal long Bytes => Interlocked.Read(ref _bytes);

    /// <summary>Why it ended by itself, a phrase; null when it did not.</summary>
    internal string? Failure { get; private set; }

    internal bool Ended { get; private set; }

    internal bool Aborted => _aborted;

    internal PeerConnection Peer => peer;

    protected ISocketPlatform Platform => context.Platform;

    protected TimeProvider Time => context.Time;

    protected ByteBudget Budget => budget;

    protected bool Stopped => _stop || Failure is not null;

    /// <summary>Bytes that have certainly arrived: acknowledged by the responder, or received here.</summary>
    internal long Delivered => Up && Platform.ReadCounters(peer.Socket).AckedBytes is { } acked ? acked : Bytes;

    public void Dispose() => peer.Dispose();

    internal void Stop() => _stop = true;

    /// <summary>Ends the connection without waiting for data in flight; no more of it is sent.</summary>
    internal void Abort()
    {
        // This end causes the errors that its thread sees from here on.
        _aborted = true;
        try
        {
            peer.Socket.LingerState = new LingerOption(true, 0);
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException)
        {
            // Already closed.
        }

        Platform.Interrupt(peer.Socket);
    }

    internal void Run()
    {
        try
        {
            Work();
        }
        finally
        {
            Ended = true;
        }
    }

    protected abstract void Work();

    protected void Count(int bytes) => Interlocked.Add(ref _bytes, bytes);

    protected void Fail(SocketError error) =>
        Fail(
            error == SocketError.WouldBlock ? "no data was transferred before the timeout"
                : $"the connection failed: {new SocketException((int)error).Message.TrimEnd('.')}");

    protected void FailClosed() => Fail("the responder closed the connection");

    private void Fail(string phrase) => Failure ??= _aborted ? null : phrase;
}

/// <summary>The bytes that may still be sent or requested; shared by all threads that make load.</summary>
internal sealed class ByteBudget(long bytes)
{
    private long _left = bytes;

    /// <summary>True after a request for bytes was refused.</summary>
    internal bool Exhausted => Interlocked.Read(ref _left) < 0;

    /// <summary>Takes bytes; false when too few are left, and from then on always.</summary>
    internal bool Take(long count) => Interlocked.Add(ref _left, -count) >= 0;
}

/// <summary>
/// Requests large replies, so many ahead that the responder never waits for the next request, and reads them. The responder sends no more
/// than was requested, even after this client has disappeared.
/// </summary>
internal sealed unsafe class DownloadStream(PeerConnection peer, MeasuringContext context, ByteBudget budget) : LoadStream(peer, context, budget)
{
    private const int RequestBytes = 16;
    private const int MostRequestsAtOnce = 64;
    private const long LeastAhead = 256 * 1024;
    private const long MostAhead = 64L << 20;
    private readonly byte[] _requests = GC.AllocateArray<byte>(RequestBytes * MostRequestsAtOnce, pinned: true);
    private readonly byte[] _buffer = GC.AllocateArray<byte>(ChunkBytes, pinned: true);
    private long _asked;
    private long _ahead = LeastAhead;
    private long _paceStart;
    private long _paceBytes;

    internal override bool Up => false;

    /// <summary>The workload that the responder runs.</summary>
    internal static Workload Workload { get; } = new() { Writes = [RequestBytes], ReplySize = ChunkBytes, NoDelay = true, PeerNoDelay = true };

    protected override void Work()
    {
        nint handle = Peer.Socket.Handle;
        _paceStart = Time.GetTimestamp();
        fixed (byte* requests = _requests)
        fixed (byte* buffer = _buffer)
        {
            while (Ask(handle, requests) && Bytes < _asked)
            {
                int count = Platform.Receive(handle, buffer, ChunkBytes, out SocketError failure);
                if (count <= 0)
                {
                    if (count < 0)
                    {
                        Fail(failure);
                    }
                    else
                    {
                        FailClosed();
                    }

                    return;
                }

                Count(count);
                Pace();
            }
        }
    }

    /// <summary>Requests as much as should be in flight; nothing more after a stop.</summary>
    private bool Ask(nint handle, byte* requests)
    {
        while (!Stopped && _asked - Bytes < _ahead)
        {
            int wanted = (int)Math.Min((_ahead - (_asked - Bytes) + ChunkBytes - 1) / ChunkBytes, MostRequestsAtOnce);
            if (!Budget.Take((long)wanted * ChunkBytes))
            {
                Stop();
                break;
            }

            for (int left = wanted * RequestBytes; left > 0;)
            {
                int count = Platform.Send(handle, requests, left, out SocketError failure);
                if (count < 0)
                {
                    Fail(failure);
                    return false;
                }

                left -= count;
            }

            _asked += (long)wanted * ChunkBytes;
        }

        return true;
    }

    /// <summary>Twice what came in half a second: enough for a second of queue on the path, and drained soon after the phase ends.</summary>
    private void Pace()
    {
        double seconds = Time.GetElapsedTime(_paceStart).TotalSeconds;
        if (seconds >= 0.1)
        {
            _ahead = Math.Clamp((long)((Bytes - _paceBytes) / seconds), LeastAhead, MostAhead);
            (_paceStart, _paceBytes) = (Time.GetTimestamp(), Bytes);
        }
    }
}

/// <summary>Sends as fast as the connection accepts data.</summary>
internal sealed unsafe class UploadStream : LoadStream
{
    // Little more than one chunk: unsent data at the end of a phase would only delay the next phase.
    private const int MostUnsent = 128 * 1024;
    private readonly byte[] _buffer = GC.AllocateArray<byte>(ChunkBytes, pinned: true);

    internal UploadStream(PeerConnection peer, MeasuringContext context, ByteBudget budget)
        : base(peer, context, budget) => Platform.LimitUnsent(peer.Socket, MostUnsent);

    internal override bool Up => true;

    /// <summary>The workload that the responder runs.</summary>
    internal static Workload Workload { get; } = new() { Pattern = WritePattern.Stream, Writes = [ChunkBytes], NoDelay = true };

    protected override void Work()
    {
        nint handle = Peer.Socket.Handle;
        fixed (byte* buffer = _buffer)
        {
            while (!Stopped && Budget.Take(ChunkBytes))
            {
                int count = Platform.Send(handle, buffer, ChunkBytes, out SocketError failure);
                if (count < 0)
                {
                    Fail(failure);
                    return;
                }

                Count(count);
            }
        }
    }
}
