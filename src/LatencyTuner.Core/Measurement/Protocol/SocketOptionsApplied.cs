using System.Net.Sockets;
using LatencyTuner.Core.Sockets;

namespace LatencyTuner.Core.Measurement.Protocol;

/// <summary>Sets the options of one end and reads back the values in effect.</summary>
internal static class SocketOptionsApplied
{
    /// <summary>Sets buffers; called before connect or listen, so that the negotiated window scale fits them (RFC 7323 2.2).</summary>
    internal static void SetBuffers(Socket socket, int? send, int? receive)
    {
        if (send is { } s)
        {
            socket.SendBufferSize = s;
        }

        if (receive is { } r)
        {
            socket.ReceiveBufferSize = r;
        }
    }

    /// <summary>Sets the options of a connected socket and reads all of them back.</summary>
    internal static EndState Apply(
        Socket socket, ISocketPlatform platform, bool? noDelay, bool immediateAck, bool spin, int? pin, bool buffersBeforeListen)
    {
        if (noDelay is { } value)
        {
            socket.NoDelay = value;
        }

        AckEffect ack = immediateAck ? platform.RequestImmediateAck(socket) : AckEffect.Default;
        return new EndState(
            Read(() => socket.NoDelay), ack, Read(() => socket.SendBufferSize), Read(() => socket.ReceiveBufferSize), spin, pin, buffersBeforeListen);
    }

    private static T? Read<T>(Func<T> query)
        where T : struct
    {
        try
        {
            return query();
        }
        catch (SocketException)
        {
            return null;
        }
    }
}
