using System.Net.Sockets;
using LatencyTuner.Core.Measurement.Platform;
using LatencyTuner.Core.Measurement.Protocol;

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

    /// <summary>Bytes handed to this system, or received.</summary>
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

    /// <summary>Bytes the other side of the load has for certain: acknowledged or received.</summary>
    internal long Delivered => Up && Platform.ReadCounters(peer.Socket).AckedBytes is { } acked ? acked : Bytes;

    public void Dispose() => peer.Dispose();

    internal void Stop() => _stop = true;

    /// <summary>Ends it without waiting for what is still under way; nothing of it is sent any more.</summary>
    internal void Abort()
    {
        // What its thread meets from here on is this end's doing.
        _aborted = true;
        try
        {
            peer.Socket.LingerState = new LingerOption(true, 0);
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException)
        {
            // Gone already.
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
            error == SocketError.WouldBlock ? "nothing moved until the timeout"
                : $"the connection broke: {new SocketException((int)error).Message.TrimEnd('.')}");

    protected void FailClosed() => Fail("the responder closed the connection");

    private void Fail(string phrase) => Failure ??= _aborted ? null : phrase;
}
