using System.Net.Sockets;
using LatencyTuner.Core.Measurement.Protocol;

namespace LatencyTuner.Core.Measurement.Load;

/// <summary>
/// Asks for large replies, so many ahead that the responder never waits for the next request, and reads them. What was asked for bounds
/// what the responder sends: whoever vanishes is owed no more than that.
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

    /// <summary>What the responder is asked for.</summary>
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

    /// <summary>Asks for as much as is to be under way; nothing more once it is to stop.</summary>
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

    /// <summary>Twice what came in half a second: enough for a second of queue on the path, and soon over when the phase ends.</summary>
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
