using System.Buffers.Binary;
using System.Net.Sockets;
using LatencyTuner.Core.Measurement.Protocol;
using LatencyTuner.Core.Sockets;

namespace LatencyTuner.Core.Measurement.Loops;

/// <summary>One open connection of a run with the memory its hot path needs.</summary>
internal sealed class MeasuredConnection : IDisposable
{
    internal const int ChunkBytes = 64 * 1024;

    internal MeasuredConnection(PeerConnection peer, Workload workload, ISocketPlatform platform)
    {
        Peer = peer;
        Handle = peer.Socket.Handle;
        Rearm = peer.Local!.Ack == AckEffect.Immediate && platform.ImmediateAckNeedsRearming;
        SendBuffer = GC.AllocateArray<byte>(Math.Min(workload.Writes.Max(), ChunkBytes), pinned: true);
        ReceiveBuffer = GC.AllocateArray<byte>(ChunkBytes, pinned: true);
        Start = platform.ReadCounters(peer.Socket);
    }

    internal PeerConnection Peer { get; }

    internal Socket Socket => Peer.Socket;

    internal nint Handle { get; }

    /// <summary>True when immediate ACKs must be requested again after every receive.</summary>
    internal bool Rearm { get; }

    internal byte[] SendBuffer { get; }

    internal byte[] ReceiveBuffer { get; }

    internal KernelCounters Start { get; }

    internal KernelCounters? End { get; set; }

    internal RunResult? Result { get; set; }

    /// <summary>Keeps single requests; null when only their distribution is kept.</summary>
    internal RequestLog? Log { get; init; }

    public void Dispose() => Peer.Dispose();

    /// <summary>Checks a reply's stamp.</summary>
    /// <param name="header">Its first bytes, as many as it has up to the stamp's size.</param>
    /// <param name="sequence">The number it must carry.</param>
    /// <param name="residenceNs">The server's own time, 0 when the reply is too short to carry it.</param>
    /// <returns>False when it is not the reply that was expected.</returns>
    internal static bool ReadStamp(ReadOnlySpan<byte> header, uint sequence, out long residenceNs)
    {
        residenceNs = 0;
        if (header.Length >= 4 && BinaryPrimitives.ReadUInt32LittleEndian(header) != sequence)
        {
            return false;
        }

        if (header.Length >= 8 && BinaryPrimitives.ReadUInt32LittleEndian(header[4..]) != Wire.ReplyMagic)
        {
            return false;
        }

        if (header.Length >= Wire.ReplyHeaderSize)
        {
            residenceNs = BinaryPrimitives.ReadInt64LittleEndian(header[8..]);
        }

        return true;
    }
}
