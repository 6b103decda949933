using System.Net;
using System.Net.Sockets;

namespace LatencyTuner.Core.Analysis.Selftest;

/// <summary>Two connected sockets on loopback.</summary>
internal sealed class LoopbackPair : IDisposable
{
    private const int PatienceMs = 2000;

    internal LoopbackPair()
    {
        using Socket listener = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        listener.Listen(1);
        Client = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { ReceiveTimeout = PatienceMs, SendTimeout = PatienceMs };
        Client.Connect(listener.LocalEndPoint!);
        Server = listener.Accept();
        (Server.ReceiveTimeout, Server.SendTimeout) = (PatienceMs, PatienceMs);
    }

    internal Socket Client { get; }

    internal Socket Server { get; }

    /// <summary>Sends one request in two writes and receives its reply; its time shows a stall of Nagle and delayed ACK.</summary>
    internal void SplitRequest(byte[] buffer)
    {
        _ = Client.Send(buffer, 0, 1, SocketFlags.None);
        _ = Client.Send(buffer, 1, 1, SocketFlags.None);
        for (int received = 0; received < 2;)
        {
            received += Server.Receive(buffer, 0, 2 - received, SocketFlags.None) is > 0 and var n ? n
                : throw new SocketException((int)SocketError.ConnectionReset);
        }

        _ = Server.Send(buffer, 0, 1, SocketFlags.None);
        if (Client.Receive(buffer, 0, 1, SocketFlags.None) != 1)
        {
            throw new SocketException((int)SocketError.ConnectionReset);
        }
    }

    public void Dispose()
    {
        Client.Dispose();
        Server.Dispose();
    }
}
