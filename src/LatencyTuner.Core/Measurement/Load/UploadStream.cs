using System.Net.Sockets;
using LatencyTuner.Core.Measurement.Protocol;

namespace LatencyTuner.Core.Measurement.Load;

/// <summary>Sends as fast as the connection takes it.</summary>
internal sealed unsafe class UploadStream : LoadStream
{
    // Little more than one chunk: what is not sent yet when the phase ends would only delay the next one.
    private const int MostUnsent = 128 * 1024;
    private readonly byte[] _buffer = GC.AllocateArray<byte>(ChunkBytes, pinned: true);

    internal UploadStream(PeerConnection peer, MeasuringContext context, ByteBudget budget)
        : base(peer, context, budget) => Platform.LimitUnsent(peer.Socket, MostUnsent);

    internal override bool Up => true;

    /// <summary>What the responder is asked for.</summary>
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
