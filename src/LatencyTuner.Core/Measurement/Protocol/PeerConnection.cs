using System.Net;
using System.Net.Sockets;
using System.Security.Cryptography;
using LatencyTuner.Core.Measurement.Platform;

namespace LatencyTuner.Core.Measurement.Protocol;

/// <summary>The client's end of one connection: connects, shakes hands, agrees on the workload, and collects the responder's result.</summary>
internal sealed class PeerConnection : IDisposable
{
    private static readonly TimeSpan HandshakeTime = TimeSpan.FromSeconds(5);
    private readonly MeasurementTarget _target;
    private readonly ISocketPlatform _platform;
    private SessionSecurity? _security;

    private PeerConnection(MeasurementTarget target, ISocketPlatform platform, Socket socket, long connectNs)
    {
        _target = target;
        _platform = platform;
        Socket = socket;
        ConnectNs = connectNs;
    }

    internal Socket Socket { get; }

    /// <summary>Time of the connect call: SYN to SYN/ACK, about one round trip.</summary>
    internal long ConnectNs { get; private set; }

    internal ServerHello? Hello { get; private set; }

    internal EndState? Local { get; private set; }

    internal EndState? Peer { get; private set; }

    public void Dispose() => Socket.Dispose();

    /// <summary>Opens a connection ready to measure.</summary>
    /// <exception cref="PeerFailureException">Absent, refused, another protocol, another version, wrong token, a limit.</exception>
    /// <exception cref="OperationCanceledException">Cancelled.</exception>
    internal static PeerConnection Open(
        MeasurementTarget target, Workload workload, int? peerPin, ISocketPlatform platform, TimeProvider time, RandomNumberGenerator random, CancellationToken cancellation)
    {
        bool mayRedirect = workload.PeerSendBuffer is not null || workload.PeerReceiveBuffer is not null;
        SetupRequest setup = new()
        {
            OneWay = workload.Pattern == WritePattern.Stream,
            RequestSize = workload.RequestSize,
            ReplySize = workload.ReplySize,
            ReplyWrites = workload.PeerWrites,
            ThinkNs = (long)(workload.PeerThink.TotalMilliseconds * 1e6),
            NoDelay = workload.PeerNoDelay,
            ImmediateAck = workload.PeerAck == AckBehaviour.Immediate,
            SendBuffer = workload.PeerSendBuffer,
            ReceiveBuffer = workload.PeerReceiveBuffer,
            Spin = workload.Spin,
            Pin = peerPin,
            MayRedirect = mayRedirect,
        };
        PeerConnection first = Connect(target, target.Endpoint, workload, platform, time, HandshakeTime, cancellation);
        try
        {
            ReadyReply ready = first.ShakeHands(setup, random, cancellation);
            if (ready.RedirectPort == 0)
            {
                first.Finish(workload, ready.State);
                return first;
            }

            long connectNs = first.ConnectNs;
            first.Dispose();
            first = OpenRedirected(target, workload, setup, ready, platform, time, random, cancellation);
            first.ConnectNs = Math.Min(connectNs, first.ConnectNs);
            return first;
        }
        catch (ProtocolException e)
        {
            first.Dispose();
            throw new PeerFailureException($"{target.Name} is not a latencytuner responder or is a broken one: {e.Message}.", e);
        }
        catch (SocketException e)
        {
            first.Dispose();
            throw new PeerFailureException($"{target.Name} broke off during the handshake: {e.Message}.", e);
        }
        catch
        {
            first.Dispose();
            throw;
        }
    }

    /// <summary>Closes this direction and reads the responder's result; null when it does not come in time or is not what was agreed.</summary>
    /// <param name="timeout">How long to wait.</param>
    /// <param name="problem">Why it is null, in a phrase.</param>
    internal RunResult? Finish(TimeSpan timeout, out string? problem)
    {
        try
        {
            _platform.SetBlocking(Socket, true);
            Socket.Shutdown(SocketShutdown.Send);
            _platform.SetTimeouts(Socket, (int)Math.Max(timeout.TotalMilliseconds, 1));
            byte[] payload = ReadFrame(FrameType.Result, CancellationToken.None);
            problem = null;
            return RunResult.Read(payload);
        }
        catch (Exception e) when (e is ProtocolException or SocketException or ObjectDisposedException or PeerFailureException)
        {
            problem = $"the responder's result could not be read: {e.Message.TrimEnd('.')}";
            return null;
        }
    }

    private static PeerConnection OpenRedirected(
        MeasurementTarget target, Workload workload, SetupRequest setup, ReadyReply ready, ISocketPlatform platform, TimeProvider time, RandomNumberGenerator random, CancellationToken cancellation)
    {
        PeerConnection connection;
        try
        {
            IPEndPoint there = new(target.Endpoint.Address, ready.RedirectPort);
            connection = Connect(target, there, workload, platform, time, TimeSpan.FromSeconds(1), cancellation);
            setup = setup with { MayRedirect = false, Ticket = ready.Ticket };
        }
        catch (PeerFailureException)
        {
            // A firewall that opens only the main port: the buffers are then set after accept, and the effective options say so.
            connection = Connect(target, target.Endpoint, workload, platform, time, HandshakeTime, cancellation);
            setup = setup with { MayRedirect = false };
        }

        try
        {
            connection.Finish(workload, connection.ShakeHands(setup, random, cancellation).State);
            return connection;
        }
        catch
        {
            connection.Dispose();
            throw;
        }
    }

    private static PeerConnection Connect(
        MeasurementTarget target, IPEndPoint endpoint, Workload workload, ISocketPlatform platform, TimeProvider time, TimeSpan timeout, CancellationToken cancellation)
    {
        Socket socket = new(endpoint.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
        try
        {
            SocketOptionsApplied.SetBuffers(socket, workload.SendBuffer, workload.ReceiveBuffer);
            long start = time.GetTimestamp();
            StartConnecting(socket, endpoint);
            while (true)
            {
                cancellation.ThrowIfCancellationRequested();
                TimeSpan left = timeout - time.GetElapsedTime(start);
                if (left <= TimeSpan.Zero)
                {
                    throw new PeerFailureException($"{target.Name} ({endpoint}) did not answer within {timeout.TotalSeconds:0} s: is the responder running there, and does a firewall let port {endpoint.Port} through?");
                }

                if (socket.Poll(left < TimeSpan.FromMilliseconds(100) ? left : TimeSpan.FromMilliseconds(100), SelectMode.SelectWrite))
                {
                    break;
                }

                if (socket.Poll(0, SelectMode.SelectError))
                {
                    break;
                }
            }

            long connectNs = (long)time.GetElapsedTime(start).TotalNanoseconds;
            SocketError error = (SocketError)(int)socket.GetSocketOption(SocketOptionLevel.Socket, SocketOptionName.Error)!;
            if (error != SocketError.Success)
            {
                throw new SocketException((int)error);
            }

            platform.SetBlocking(socket, true);
            return new PeerConnection(target, platform, socket, connectNs);
        }
        catch (SocketException e)
        {
            socket.Dispose();
            throw new PeerFailureException(ConnectFailure(target, endpoint, e), e);
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    private static void StartConnecting(Socket socket, IPEndPoint endpoint)
    {
        try
        {
            socket.Blocking = false;
            socket.Connect(endpoint);
        }
        catch (SocketException e) when (e.SocketErrorCode is SocketError.WouldBlock or SocketError.InProgress or SocketError.IOPending)
        {
            // Under way; the caller waits for it.
        }
    }

    private static string ConnectFailure(MeasurementTarget target, IPEndPoint endpoint, SocketException e)
    {
        string where = $"{target.Name} ({endpoint})";
        return e.SocketErrorCode switch
        {
            SocketError.ConnectionRefused => $"{where} refused the connection: no responder listens there; start one with 'latencytuner serve' on that host.",
            SocketError.HostUnreachable or SocketError.NetworkUnreachable => $"{where} cannot be reached: there is no route to it.",
            SocketError.TimedOut => $"{where} did not answer.",
            _ => $"{where} could not be connected to: {e.Message}.",
        };
    }

    private ReadyReply ShakeHands(SetupRequest setup, RandomNumberGenerator random, CancellationToken cancellation)
    {
        _platform.SetTimeouts(Socket, (int)HandshakeTime.TotalMilliseconds);
        byte[] nonce = new byte[Wire.NonceSize];
        random.GetBytes(nonce);
        byte[] clientHello = new ClientHello(Wire.Version, Wire.Version, _target.Token is not null, nonce).Write();
        Socket.Send(FrameHeader.Frame(FrameType.ClientHello, clientHello, []));
        byte[] serverHello = ReadFrame(FrameType.ServerHello, cancellation);
        Hello = ServerHello.Read(serverHello);
        Authenticate(clientHello, serverHello, cancellation);
        byte[] payload = setup.Write();
        Socket.Send(FrameHeader.Frame(FrameType.Setup, payload, _security?.SignNext(FrameType.Setup, payload)));
        return ReadyReply.Read(ReadFrame(FrameType.Ready, cancellation));
    }

    private void Authenticate(byte[] clientHello, byte[] serverHello, CancellationToken cancellation)
    {
        if (Hello!.NeedsToken != _target.Token is not null)
        {
            throw new PeerFailureException(Hello.NeedsToken
                ? $"{_target.Name} asks for a token: give the same one with --token-file."
                : $"{_target.Name} uses no token, so it cannot prove who it is: leave --token-file out, or start it with one.");
        }

        if (_target.Token is null)
        {
            return;
        }

        SessionSecurity security = new(_target.Token, clientHello, serverHello, isClient: true);
        Socket.Send(FrameHeader.Frame(FrameType.ClientProof, security.ClientProof, []));
        byte[] proof = ReadFrame(FrameType.ServerProof, cancellation);
        if (proof.Length != Wire.MacSize || !CryptographicOperations.FixedTimeEquals(proof, security.ServerProof))
        {
            throw new PeerFailureException($"{_target.Name} did not prove that it knows the token: it is not the responder you started, or someone is in between.");
        }

        _security = security;
    }

    private byte[] ReadFrame(FrameType expected, CancellationToken cancellation)
    {
        byte[] head = new byte[Wire.HeaderSize];
        ReadExactly(head, cancellation);
        FrameHeader header = FrameHeader.Read(head);
        byte[] payload = new byte[header.PayloadLength];
        ReadExactly(payload, cancellation);
        if (header.Type == FrameType.Refusal && expected != FrameType.Refusal)
        {
            Refusal refusal = Refusal.Read(payload);
            throw new PeerFailureException(refusal.Reason == RefusalReason.Authentication
                ? $"{_target.Name} refused the token: it is not the one the responder was started with."
                : $"{_target.Name} refused: {refusal.Text}.");
        }

        if (header.Type != expected)
        {
            throw new ProtocolException($"frame {(byte)header.Type} came where {expected} was expected");
        }

        if (_security is not null)
        {
            byte[] mac = new byte[Wire.MacSize];
            ReadExactly(mac, cancellation);
            if (!_security.VerifyNext(expected, payload, mac))
            {
                throw new ProtocolException($"the {expected} frame was changed on the way");
            }
        }

        return payload;
    }

    private unsafe void ReadExactly(Span<byte> buffer, CancellationToken cancellation)
    {
        while (!buffer.IsEmpty)
        {
            cancellation.ThrowIfCancellationRequested();
            int count;
            SocketError failure;
            fixed (byte* bytes = buffer)
            {
                count = _platform.Receive(Socket.Handle, bytes, buffer.Length, out failure);
            }

            if (count == 0)
            {
                throw new ProtocolException("it closed the connection where an answer was expected");
            }

            if (count < 0)
            {
                throw failure == SocketError.WouldBlock
                    ? new PeerFailureException($"{_target.Name} accepted the connection but did not answer in time: another service may be listening on port {_target.Endpoint.Port}.")
                    : new SocketException((int)failure);
            }

            buffer = buffer[count..];
        }
    }

    private void Finish(Workload workload, EndState peer)
    {
        Peer = peer;
        Local = SocketOptionsApplied.Apply(
            Socket, _platform, workload.NoDelay, workload.Ack == AckBehaviour.Immediate, workload.Spin, null, buffersBeforeListen: true);
    }
}
