using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using LatencyTuner.Lab;

namespace LatencyTuner.Tests.Lab;

/// <summary>A server thread and a client in the two namespaces of a session.</summary>
internal static class LabPeers
{
    private const int Port = 7117;

    /// <summary>Sends requests of the given pieces, each answered by 100 bytes, and returns the time of each in milliseconds.</summary>
    public static double[] RequestTimes(LabSession session, int count, int[] pieces, bool noDelay, bool isIPv6 = false)
    {
        int size = pieces.Sum();
        using Socket listener = Listen(session, isIPv6);
        Task server = Task.Factory.StartNew(
            () =>
            {
                using Socket peer = listener.Accept();
                peer.NoDelay = true;
                byte[] request = new byte[size];
                while (ReadAll(peer, request))
                {
                    peer.Send(new byte[100]);
                }
            },
            TaskCreationOptions.LongRunning);
        using Socket client = Connect(session, isIPv6);
        client.NoDelay = noDelay;
        double[] times = new double[count];
        byte[] reply = new byte[100];
        for (int i = 0; i < count; i++)
        {
            Stopwatch clock = Stopwatch.StartNew();
            foreach (int piece in pieces)
            {
                client.Send(new byte[piece]);
            }

            if (!ReadAll(client, reply))
            {
                throw new InvalidOperationException("The server closed the connection.");
            }

            times[i] = clock.Elapsed.TotalMilliseconds;
        }

        client.Shutdown(SocketShutdown.Send);
        server.Wait(10_000);
        return times;
    }

    /// <summary>Sends bytes to the server and returns the seconds from connect to the end of the stream at the server, and what arrived.</summary>
    public static (double Seconds, long Received) Bulk(LabSession session, int bytes)
    {
        using Socket listener = Listen(session, false);
        Task<(double TotalSeconds, long received)> server = Task.Factory.StartNew(
            () =>
            {
                using Socket peer = listener.Accept();
                Stopwatch clock = Stopwatch.StartNew();
                byte[] buffer = new byte[65536];
                long received = 0;
                for (int n; (n = peer.Receive(buffer)) > 0;)
                {
                    received += n;
                }

                return (clock.Elapsed.TotalSeconds, received);
            },
            TaskCreationOptions.LongRunning);
        using Socket client = Connect(session, false);
        for (int left = bytes; left > 0;)
        {
            left -= client.Send(new byte[Math.Min(left, 65536)]);
        }

        client.Shutdown(SocketShutdown.Send);
        return server.GetAwaiter().GetResult();
    }

    private static Socket Listen(LabSession session, bool isIPv6)
    {
        Socket socket = LabNamespace.CreateSocket(session.Network.ServerNamespace, isIPv6 ? AddressFamily.InterNetworkV6 : AddressFamily.InterNetwork);
        socket.ReceiveTimeout = 20_000;
        socket.Bind(new IPEndPoint(isIPv6 ? LabNetwork.ServerAddress6 : LabNetwork.ServerAddress, Port));
        socket.Listen(8);
        return socket;
    }

    private static Socket Connect(LabSession session, bool isIPv6)
    {
        Socket socket = LabNamespace.CreateSocket(session.Network.ClientNamespace, isIPv6 ? AddressFamily.InterNetworkV6 : AddressFamily.InterNetwork);
        socket.ReceiveTimeout = 20_000;
        socket.Connect(isIPv6 ? LabNetwork.ServerAddress6 : LabNetwork.ServerAddress, Port);
        return socket;
    }

    private static bool ReadAll(Socket socket, byte[] buffer)
    {
        for (int got = 0; got < buffer.Length;)
        {
            int n = socket.Receive(buffer, got, buffer.Length - got, SocketFlags.None);
            if (n == 0)
            {
                return false;
            }

            got += n;
        }

        return true;
    }

    /// <summary>A server in the session's server namespace that sends back each message, on any number of connections.</summary>
    internal sealed class EchoServer : IDisposable
    {
        internal const int MessageSize = 64;
        private readonly Socket _listener;

        internal EchoServer(LabSession session)
        {
            _listener = Listen(session, false);
            Serve(() =>
            {
                while (true)
                {
                    Socket peer = _listener.Accept();
                    peer.NoDelay = true;
                    Serve(() =>
                    {
                        byte[] message = new byte[MessageSize];
                        while (ReadAll(peer, message))
                        {
                            peer.Send(message);
                        }
                    });
                }
            });
        }

        /// <summary>Opens a connection from the client's namespace, with Nagle's algorithm on.</summary>
        internal static Socket Connect(LabSession session) => LabPeers.Connect(session, false);

        /// <inheritdoc/>
        public void Dispose() => _listener.Dispose();

        /// <summary>Runs on a thread of its own until a socket is closed.</summary>
        private static void Serve(Action work) => new Thread(() =>
        {
            try
            {
                work();
            }
            catch (Exception e) when (e is SocketException or ObjectDisposedException)
            {
                // The test is over.
            }
        })
        { IsBackground = true }.Start();
    }
}
