using System.Net;
using System.Net.Sockets;
using System.Security.Cryptography;
using LatencyTuner.Core.Measurement.Protocol;
using LatencyTuner.Core.Sockets;

namespace LatencyTuner.Core.Measurement.Responding;

/// <summary>
/// The other end of a measurement. One thread accepts and runs all handshakes without ever blocking on one of them, so that slow or hostile
/// clients do not delay the others; a connection that has passed its handshake gets a blocking thread of its own, which is the fastest way
/// to answer.
/// </summary>
public sealed class Responder : IDisposable
{
    private const int TickUs = 100_000;
    private const int MostAccepts = 512;

    // With more strangers than this, what they send is looked at a few milliseconds later, all at once: each look costs as much as there are of them, and the
    // clients that are measured share the processors with it.
    private const int Crowd = 128;
    private static readonly TimeSpan CrowdPause = TimeSpan.FromMilliseconds(5);
    private readonly ResponderOptions _options;
    private readonly TimeProvider _time;
    private readonly RandomNumberGenerator _random;
    private readonly List<Socket> _listeners;
    private readonly HandshakeTable _handshakes;
    private readonly ServingTable _serving;
    private readonly BufferListeners _bufferListeners;
    private readonly Thread _thread;
    private int _disposed;
    private volatile bool _stopping;
    private long _accepted;
    private long _refused;

    private Responder(ResponderOptions options, TimeProvider time, RandomNumberGenerator random, List<Socket> listeners)
    {
        _options = options;
        _time = time;
        _random = random;
        _listeners = listeners;
        _handshakes = new HandshakeTable(options.Limits, time);
        _serving = new ServingTable(options, time, SocketPlatform.Current);
        _bufferListeners = new BufferListeners(random, time);
        Endpoints = listeners.ConvertAll(l => (IPEndPoint)l.LocalEndPoint!);
        _thread = new Thread(Run) { IsBackground = true, Name = "responder" };
    }

    /// <summary>The endpoints it listens on, with the actual port.</summary>
    public IReadOnlyList<IPEndPoint> Endpoints { get; }

    /// <summary>The counts since the start.</summary>
    public ResponderStatistics Statistics => new(
        Interlocked.Read(ref _accepted), Interlocked.Read(ref _refused), _serving.Served, _serving.Active, _handshakes.Count, _serving.Messages);

    /// <summary>Starts listening.</summary>
    /// <param name="options">The settings of the responder.</param>
    /// <param name="time">The clock.</param>
    /// <param name="random">Source of nonces.</param>
    /// <exception cref="ExpectedFailureException">The address is not of this machine, or the port is in use or needs a privilege.</exception>
    public static Responder Start(ResponderOptions options, TimeProvider time, RandomNumberGenerator random)
    {
        List<Socket> listeners = [];
        try
        {
            foreach (IPAddress address in options.Addresses)
            {
                int port = listeners.Count > 0 && options.Port == 0 ? ((IPEndPoint)listeners[0].LocalEndPoint!).Port : options.Port;
                listeners.Add(Listening.Open(new IPEndPoint(address, port), null, null, backlog: 512));
            }
        }
        catch
        {
            listeners.ForEach(l => l.Dispose());
            throw;
        }

        Responder responder = new(options, time, random, listeners);
        responder._thread.Start();
        return responder;
    }

    /// <summary>Stops accepting, ends every connection and waits for the threads.</summary>
    public void Dispose()
    {
        if (Interlocked.Exchange(ref _disposed, 1) != 0)
        {
            return;
        }

        _stopping = true;
        if (_thread.Join(TimeSpan.FromSeconds(5)))
        {
            _random.Dispose();
        }
    }

    private void Run()
    {
        try
        {
            List<Socket> readable = [];
            while (!_stopping)
            {
                readable.Clear();
                readable.AddRange(_listeners);
                _bufferListeners.AddTo(readable);
                _handshakes.AddTo(readable);
                Socket.Select(readable, null, null, TickUs);
                foreach (Socket socket in readable)
                {
                    if (_handshakes.Find(socket) is { } handshake)
                    {
                        Advance(handshake);
                    }
                    else if (_listeners.Contains(socket) || _bufferListeners.Contains(socket))
                    {
                        // Anything else was dropped earlier in this pass. All that wait: with one in a pass, thousands of strangers would go first.
                        for (int n = 0; n < MostAccepts && (n == 0 || socket.Poll(0, SelectMode.SelectRead)); n++)
                        {
                            Accept(socket);
                        }
                    }
                }

                _handshakes.DropExpired(Refuse);
                _bufferListeners.DropExpired();
                if (_handshakes.Count > Crowd)
                {
                    Thread.Sleep(CrowdPause);
                }
            }
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException)
        {
            _options.Log?.Invoke(new(null, null, $"the responder ended: {e.Message}"));
        }
        finally
        {
            _listeners.ForEach(l => l.Dispose());
            _bufferListeners.Dispose();
            _handshakes.Dispose();
            _serving.StopAll();
        }
    }

    private void Accept(Socket listener)
    {
        Socket socket;
        try
        {
            socket = listener.Accept();
            socket.Blocking = false;
        }
        catch (SocketException e)
        {
            // The client disconnected before the accept; or the process has no sockets left, and the oldest handshake is dropped.
            if (e.SocketErrorCode is SocketError.TooManyOpenSockets or SocketError.NoBufferSpaceAvailable)
            {
                _handshakes.DropOldest(Refuse, "no more sockets could be opened");
                Thread.Sleep(1);
            }

            return;
        }

        Interlocked.Increment(ref _accepted);
        byte[] nonce = new byte[Wire.NonceSize];
        _random.GetBytes(nonce);
        ServerHello hello = new(Wire.Version, _options.Token is not null, nonce);
        ulong ticket = _bufferListeners.TicketOf(listener);
        PendingHandshake? dropped = _handshakes.Add(socket, new ServerHandshake(hello, _options.Token, _options.Limits), ticket);
        if (dropped is not null)
        {
            Refuse(dropped, "it was the oldest of too many unfinished handshakes");
        }
    }

    private void Advance(PendingHandshake pending)
    {
        try
        {
            int count = pending.Socket.Receive(pending.Handshake.Room, SocketFlags.None, out SocketError error);
            if (error == SocketError.WouldBlock)
            {
                return;
            }

            if (error != SocketError.Success || count == 0)
            {
                Refuse(pending, "it disconnected before the handshake was finished, as a client without the right token does");
                return;
            }

            byte[] answer = pending.Handshake.Take(count);
            if (answer.Length > 0 && pending.Socket.Send(answer, SocketFlags.None, out error) != answer.Length)
            {
                Refuse(pending, "it does not receive the answer");
                return;
            }

            if (pending.Handshake.Setup is { } setup)
            {
                Promote(pending, setup);
            }
        }
        catch (ProtocolException e)
        {
            SendRefusal(pending, e.Reason, e.Message);
            Refuse(pending, e.Message);
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException)
        {
            Refuse(pending, e.Message);
        }
    }

    private void Promote(PendingHandshake pending, SetupRequest setup)
    {
        if (setup.Lease)
        {
            _handshakes.Remove(pending);
            LeaseConnection.Start(pending, _options, _time);
            return;
        }

        if (_options.Lease is { } lease && !lease.Admits(pending.Client))
        {
            throw new ProtocolException(RefusalReason.Busy, "this responder serves the one client that holds its lease");
        }

        bool beforeListen = setup.Ticket != 0 && setup.Ticket == pending.Ticket;
        if (setup is { MayRedirect: true, Ticket: 0 } && (setup.SendBuffer ?? setup.ReceiveBuffer) is not null
            && _bufferListeners.TryOpen(((IPEndPoint)pending.Socket.LocalEndPoint!).Address, setup.SendBuffer, setup.ReceiveBuffer) is var (port, ticket))
        {
            EndState nothingYet = new(null, AckEffect.Default, null, null, false, null, false);
            pending.Socket.Send(pending.Handshake.Frame(FrameType.Ready, new ReadyReply(nothingYet, port, ticket, _options.Software, _options.Os).Write()));
            _handshakes.Remove(pending);
            pending.Socket.Dispose();
            return;
        }

        // First: the client may have measured and gone before this thread runs again, and who counts then would count it still.
        _handshakes.Remove(pending);
        _serving.Start(pending, setup, beforeListen);
        if (beforeListen)
        {
            _bufferListeners.Close(pending.Ticket);
        }
    }

    private static void SendRefusal(PendingHandshake pending, RefusalReason reason, string text)
    {
        try
        {
            pending.Socket.Send(FrameHeader.Frame(FrameType.Refusal, new Refusal(reason, text).Write(), []), SocketFlags.None, out _);
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException)
        {
            // The client may have disconnected; the refusal is best effort.
        }
    }

    private void Refuse(PendingHandshake pending, string why)
    {
        Interlocked.Increment(ref _refused);
        _options.Log?.Invoke(new(pending.Client, null, why));
        _handshakes.Remove(pending);
        HandshakeTable.Close(pending.Socket);
    }
}
