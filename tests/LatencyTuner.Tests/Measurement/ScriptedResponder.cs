using System.Buffers.Binary;
using System.Net;
using System.Net.Sockets;
using LatencyTuner.Core.Measurement;
using LatencyTuner.Core.Measurement.Protocol;
using LatencyTuner.Core.Sockets;

namespace LatencyTuner.Tests.Measurement;

/// <summary>A fake responder on loopback: every connection runs the script on a thread of its own, then is closed.</summary>
internal sealed class ScriptedResponder : IDisposable
{
    internal static readonly EndState State = new(true, AckEffect.Default, 1, 1, false, null, false);
    private readonly Socket _listener = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
    private readonly List<Socket> _sockets = [];
    private readonly ManualResetEventSlim _ended = new();

    internal ScriptedResponder(Action<Socket> script, SharedToken? token = null)
    {
        _listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        _listener.Listen(64);
        Target = new MeasurementTarget("fake", (IPEndPoint)_listener.LocalEndPoint!, token, false);
        new Thread(() => AcceptAll(script)) { IsBackground = true }.Start();
    }

    internal MeasurementTarget Target { get; }

    /// <summary>Set when the test is over: what a script waits for that stays silent.</summary>
    internal WaitHandle Ended => _ended.WaitHandle;

    public void Dispose()
    {
        _ended.Set();
        _listener.Dispose();
        lock (_sockets)
        {
            _sockets.ForEach(s => s.Dispose());
        }
    }

    /// <summary>Keeps the connection open and silent until the test is over.</summary>
    internal void Hold() => Ended.WaitOne();

    internal static SetupRequest ShakeHands(Socket socket)
    {
        Rig.ReadFrame(socket);
        Rig.SendFrame(socket, FrameType.ServerHello, Hello().Write());
        SetupRequest setup = SetupRequest.Read(Rig.ReadFrame(socket).Payload);
        Rig.SendFrame(socket, FrameType.Ready, Ready().Write());
        return setup;
    }

    internal static ServerHello Hello(ushort version = Wire.Version, bool needsToken = false) => new(version, needsToken, new byte[Wire.NonceSize]);

    internal static ReadyReply Ready(int redirectPort = 0, ulong ticket = 0, string software = "fake") => new(State, redirectPort, ticket, software, "none");

    internal static byte[] Reply(SetupRequest setup, uint sequence, uint magic = Wire.ReplyMagic)
    {
        byte[] reply = new byte[Math.Max(setup.ReplySize, Wire.ReplyHeaderSize)];
        BinaryPrimitives.WriteUInt32LittleEndian(reply, sequence);
        BinaryPrimitives.WriteUInt32LittleEndian(reply.AsSpan(4), magic);
        return reply[..setup.ReplySize];
    }

    /// <summary>Answers some requests as agreed.</summary>
    internal static void Answer(Socket socket, SetupRequest setup, int count)
    {
        byte[] request = new byte[setup.RequestSize];
        for (uint i = 0; i < count; i++)
        {
            Rig.ReceiveExactly(socket, request);
            socket.Send(Reply(setup, i));
        }
    }

    internal static RunResult Result(long messages, long bytes) => new()
    {
        Messages = messages,
        Bytes = bytes,
        ResidenceNs = 0,
        State = State,
        Start = KernelCounters.Unsupported,
        End = KernelCounters.Unsupported,
    };

    private void AcceptAll(Action<Socket> script)
    {
        while (true)
        {
            Socket socket;
            try
            {
                socket = _listener.Accept();
            }
            catch (Exception e) when (e is SocketException or ObjectDisposedException)
            {
                return;
            }

            socket.NoDelay = true;
            lock (_sockets)
            {
                _sockets.Add(socket);
            }

            new Thread(() => RunScript(script, socket)) { IsBackground = true }.Start();
        }
    }

    private static void RunScript(Action<Socket> script, Socket socket)
    {
        try
        {
            script(socket);
            socket.Shutdown(SocketShutdown.Both);
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException or EndOfStreamException or ProtocolException)
        {
            // The client left, which is what most of these tests make it do.
        }

        socket.Dispose();
    }
}
