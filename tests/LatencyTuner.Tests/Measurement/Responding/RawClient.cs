using System.Net;
using System.Net.Sockets;
using LatencyTuner.Core.Measurement.Protocol;
using LatencyTuner.Core.Measurement.Responding;

namespace LatencyTuner.Tests.Measurement.Responding;

/// <summary>A client that does what a test tells it, valid or not.</summary>
internal sealed class RawClient : IDisposable
{
    internal RawClient(Responder responder)
        : this(responder.Endpoints[0])
    {
    }

    internal RawClient(IPEndPoint endpoint)
    {
        Socket = new Socket(endpoint.AddressFamily, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true, ReceiveTimeout = 15_000 };
        Socket.Connect(endpoint);
    }

    internal Socket Socket { get; }

    internal static byte[] Hello => FrameHeader.Frame(
        FrameType.ClientHello, new ClientHello(Wire.Version, Wire.Version, false, new byte[Wire.NonceSize]).Write(), []);

    public void Dispose() => Socket.Dispose();

    /// <summary>The whole handshake without a token.</summary>
    internal RawClient Ready(SetupRequest setup)
    {
        AskFor(setup);
        (FrameType type, _) = Rig.ReadFrame(Socket);
        return type == FrameType.Ready ? this : throw new InvalidOperationException($"{type} came where Ready was expected");
    }

    internal void AskFor(SetupRequest setup)
    {
        Socket.Send(Hello);
        Rig.ReadFrame(Socket);
        Rig.SendFrame(Socket, FrameType.Setup, setup.Write());
    }

    /// <summary>The reason of the refusal that must come now.</summary>
    internal Refusal Refused()
    {
        (FrameType type, byte[] payload) = Rig.ReadFrame(Socket);
        return type == FrameType.Refusal ? Refusal.Read(payload) : throw new InvalidOperationException($"{type} came where a refusal was expected");
    }

    /// <summary>True when the responder closes or resets within the receive timeout.</summary>
    internal bool IsClosedByPeer()
    {
        byte[] buffer = new byte[65536];
        try
        {
            while (Socket.Receive(buffer) > 0)
            {
            }

            return true;
        }
        catch (SocketException e)
        {
            return e.SocketErrorCode is SocketError.ConnectionReset or SocketError.ConnectionAborted;
        }
    }
}
