using System.Net;
using System.Net.Sockets;
using System.Security.Cryptography;
using LatencyTuner.Core.Sockets;

namespace LatencyTuner.Core.Measurement.Protocol;

/// <summary>The client's end of one connection: connects, performs the handshake, agrees on the workload, and collects the responder's result.</summary>
internal sealed partial class PeerConnection : IDisposable
{
    private static readonly TimeSpan RedirectConnectTimeout = TimeSpan.FromSeconds(1);
    private static volatile bool _warm;
    private readonly MeasurementTarget _target;
    private readonly MeasurementPlan _plan;
    private readonly ISocketPlatform _platform;
    private readonly TimeProvider _time;
    private readonly long _opened;
    private SessionSecurity? _security;

    private PeerConnection(MeasurementTarget target, MeasurementPlan plan, MeasuringContext context, Socket socket, long connectNs)
    {
        _target = target;
        _plan = plan;
        _platform = context.Platform;
        _time = context.Time;
        Socket = socket;
        ConnectNs = connectNs;
        _opened = _time.GetTimestamp();
    }

    internal Socket Socket { get; }

    /// <summary>Time of the connect call: SYN to SYN/ACK, about one round trip.</summary>
    internal long ConnectNs { get; private set; }

    /// <summary>The responder's answer to the setup, with what it is; null before.</summary>
    internal ReadyReply? Ready { get; private set; }

    internal EndState? Local { get; private set; }

    internal EndState? Peer { get; private set; }

    public void Dispose() => Socket.Dispose();

    /// <summary>Opens a connection that is ready for measuring.</summary>
    /// <exception cref="PeerFailureException">The responder is absent, refused the client, or has another protocol, version, token or limit.</exception>
    /// <exception cref="OperationCanceledException">Cancelled.</exception>
    internal static PeerConnection Open(
        MeasurementTarget target, MeasurementPlan plan, int? peerPin, MeasuringContext context, CancellationToken cancellation)
    {
        Workload workload = plan.Workload;
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
            Watch = plan.Watch,
        };
        return Open(target, plan, setup, context, cancellation);
    }

    /// <summary>Opens the connection that keeps a responder of <c>serve --once</c> alive.</summary>
    /// <exception cref="PeerFailureException">As <see cref="Open(MeasurementTarget, MeasurementPlan, int?, MeasuringContext, CancellationToken)"/>.</exception>
    /// <exception cref="OperationCanceledException">Cancelled.</exception>
    internal static PeerConnection OpenLease(MeasurementTarget target, TimeSpan timeout, MeasuringContext context, CancellationToken cancellation) =>
        Open(target, new MeasurementPlan { ConnectTimeout = timeout, HandshakeTimeout = timeout }, new SetupRequest { Lease = true }, context, cancellation);

    private static PeerConnection Open(
        MeasurementTarget target, MeasurementPlan plan, SetupRequest setup, MeasuringContext context, CancellationToken cancellation)
    {
        Workload workload = plan.Workload;
        PeerConnection first = Connect(target, target.Endpoint, plan, context, plan.ConnectTimeout, cancellation);
        try
        {
            ReadyReply ready = first.ShakeHands(setup, context.Random, cancellation);
            if (ready.RedirectPort == 0)
            {
                first.Finish(workload, ready.State);
                return first;
            }

            long connectNs = first.ConnectNs;
            first.Dispose();
            first = OpenRedirected(target, plan, setup, ready, context, cancellation);
            first.ConnectNs = Math.Min(connectNs, first.ConnectNs);
            return first;
        }
        catch (ProtocolException e)
        {
            first.Dispose();
            throw new PeerFailureException($"{target.Name} is not a latencytuner responder, or sent invalid data: {e.Message}.", e);
        }
        catch (TimeoutException e)
        {
            first.Dispose();
            throw new PeerFailureException(
                $"{target.Name} accepted the connection but did not answer within {plan.HandshakeTimeout.TotalSeconds:0.###} s: another service may be "
                + $"listening on port {target.Endpoint.Port}.", e);
        }
        catch (SocketException e)
        {
            first.Dispose();
            throw new PeerFailureException($"The connection to {target.Name} failed during the handshake: {e.Message.TrimEnd('.')}.", e);
        }
        catch
        {
            first.Dispose();
            throw;
        }
    }

    /// <summary>Closes this direction and reads the responder's result; null when it does not arrive in time or is not valid.</summary>
    /// <param name="deadline">Timestamp until which to wait.</param>
    /// <param name="cancellation">Ends the wait.</param>
    /// <param name="problem">The reason when the result is null, a phrase; otherwise null.</param>
    /// <exception cref="OperationCanceledException">Cancelled.</exception>
    internal RunResult? Finish(long deadline, CancellationToken cancellation, out string? problem)
    {
        try
        {
            CloseSending();
            byte[] payload = ReadFrame(FrameType.Result, deadline, cancellation);
            problem = null;
            return RunResult.Read(payload).PossibleAfter(_time.GetElapsedTime(_opened) + TimeSpan.FromMicroseconds(ConnectNs / 1e3));
        }
        catch (TimeoutException)
        {
            problem = "the responder's result did not arrive in time";
            return null;
        }
        catch (Exception e) when (e is ProtocolException or SocketException or ObjectDisposedException or PeerFailureException)
        {
            problem = $"the responder's result could not be read: {e.Message.TrimEnd('.')}";
            return null;
        }
    }

    /// <summary>Tells the responder that no more requests come; harmless when called twice.</summary>
    internal void CloseSending()
    {
        try
        {
            Socket.Shutdown(SocketShutdown.Send);
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException)
        {
            // Already disconnected; reading the result reports the reason.
        }
    }

    private static PeerConnection OpenRedirected(
        MeasurementTarget target, MeasurementPlan plan, SetupRequest setup, ReadyReply ready, MeasuringContext context, CancellationToken cancellation)
    {
        PeerConnection connection;
        try
        {
            IPEndPoint there = new(target.Endpoint.Address, ready.RedirectPort);
            TimeSpan timeout = plan.ConnectTimeout < RedirectConnectTimeout ? plan.ConnectTimeout : RedirectConnectTimeout;
            connection = Connect(target, there, plan, context, timeout, cancellation);
            setup = setup with { MayRedirect = false, Ticket = ready.Ticket };
        }
        catch (PeerFailureException)
        {
            // A firewall may allow only the main port: the buffers are then set after the accept, and the effective options say so.
            connection = Connect(target, target.Endpoint, plan, context, plan.ConnectTimeout, cancellation);
            setup = setup with { MayRedirect = false };
        }

        try
        {
            connection.Finish(plan.Workload, connection.ShakeHands(setup, context.Random, cancellation).State);
            return connection;
        }
        catch
        {
            connection.Dispose();
            throw;
        }
    }

    private static PeerConnection Connect(
        MeasurementTarget target, IPEndPoint endpoint, MeasurementPlan plan, MeasuringContext context, TimeSpan timeout, CancellationToken cancellation)
    {
        TimeProvider time = context.Time;
        Socket? socket = null;
        try
        {
            socket = new Socket(endpoint.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
            try
            {
                SocketOptionsApplied.SetBuffers(socket, plan.Workload.SendBuffer, plan.Workload.ReceiveBuffer);
            }
            catch (SocketException e)
            {
                throw new PeerFailureException(
                    $"This system refused the buffer sizes: send buffer {plan.Workload.SendBuffer?.ToString() ?? "default"}, receive buffer "
                    + $"{plan.Workload.ReceiveBuffer?.ToString() ?? "default"} (bytes): {e.Message.TrimEnd('.')}.", e);
            }

            WarmUp();
            long start = time.GetTimestamp();
            StartConnecting(socket, endpoint);
            while (true)
            {
                cancellation.ThrowIfCancellationRequested();
                TimeSpan left = timeout - time.GetElapsedTime(start);
                if (left <= TimeSpan.Zero)
                {
                    throw new PeerFailureException(
                        $"{target.Name} ({endpoint}) did not answer within {timeout.TotalSeconds:0.###} s. Check that the responder runs there, and "
                        + $"that no firewall blocks port {endpoint.Port}.")
                    {
                        Reason = ProbeFailure.Timeout,
                    };
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

            context.Platform.SetBlocking(socket, true);
            return new PeerConnection(target, plan, context, socket, connectNs);
        }
        catch (SocketException e)
        {
            socket?.Dispose();
            throw new PeerFailureException(ConnectFailure(target, endpoint, e), e);
        }
        catch
        {
            socket?.Dispose();
            throw;
        }
    }

    /// <summary>
    /// The first connect of a process takes milliseconds in the runtime (its first exception, its first use of the calls), which would be
    /// mistaken for a round trip: a connect to a listener of this process takes them first.
    /// </summary>
    private static void WarmUp()
    {
        if (_warm)
        {
            return;
        }

        _warm = true;
        try
        {
            using Socket listener = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
            listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
            listener.Listen(1);
            using Socket client = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
            StartConnecting(client, (IPEndPoint)listener.LocalEndPoint!);
            _ = client.Poll(TimeSpan.FromMilliseconds(100), SelectMode.SelectWrite)
                && client.GetSocketOption(SocketOptionLevel.Socket, SocketOptionName.Error) is int;
        }
        catch (SocketException)
        {
            // Without an IPv4 loopback the first connect time is too long by those milliseconds.
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
            // The connect is in progress; the caller waits for it.
        }
    }

    private static string ConnectFailure(MeasurementTarget target, IPEndPoint endpoint, SocketException e)
    {
        string where = $"{target.Name} ({endpoint})";
        return e.SocketErrorCode switch
        {
            SocketError.ConnectionRefused => $"{where} refused the connection: nothing listens on that port, or a firewall rejects it. "
                + $"Start a responder on that host with 'latencytuner serve --bind {endpoint.Address} --port {endpoint.Port} --token-file FILE'.",
            SocketError.HostUnreachable or SocketError.NetworkUnreachable => $"{where} cannot be reached: there is no route to it.",
            SocketError.TimedOut => $"{where} did not answer.",
            SocketError.AddressFamilyNotSupported =>
                $"{where} cannot be reached: this machine has no {(endpoint.AddressFamily == AddressFamily.InterNetworkV6 ? "IPv6" : "IPv4")}.",
            _ => $"The connection to {where} failed: {e.Message.TrimEnd('.')}.",
        };
    }

    private ReadyReply ShakeHands(SetupRequest setup, RandomNumberGenerator random, CancellationToken cancellation)
    {
        long deadline = _time.GetTimestamp() + (long)(_plan.HandshakeTimeout.TotalSeconds * _time.TimestampFrequency);
        byte[] nonce = new byte[Wire.NonceSize];
        random.GetBytes(nonce);
        byte[] clientHello = new ClientHello(Wire.Version, Wire.Version, _target.Token is not null, nonce).Write();
        Socket.Send(FrameHeader.Frame(FrameType.ClientHello, clientHello, []));
        byte[] serverHello = ReadFrame(FrameType.ServerHello, deadline, cancellation);
        ServerHello hello = ServerHello.Read(serverHello);
        if (hello.Version != Wire.Version)
        {
            throw new PeerFailureException(
                $"{_target.Name} speaks protocol version {hello.Version}, this program speaks version {Wire.Version}: use the same release of latencytuner at "
                + "both ends.");
        }

        Authenticate(hello, clientHello, serverHello, deadline, cancellation);
        byte[] payload = setup.Write();
        Socket.Send(FrameHeader.Frame(FrameType.Setup, payload, _security?.SignNext(FrameType.Setup, payload)));
        ReadyReply ready = Ready = ReadyReply.Read(ReadFrame(FrameType.Ready, deadline, cancellation));
        return ready.RedirectPort == 0 || setup.MayRedirect
            ? ready
            : throw new ProtocolException($"it redirected the client to port {ready.RedirectPort}, which the client did not request");
    }

    private void Authenticate(ServerHello hello, byte[] clientHello, byte[] serverHello, long deadline, CancellationToken cancellation)
    {
        if (hello.NeedsToken != _target.Token is not null)
        {
            throw new PeerFailureException(hello.NeedsToken
                ? $"{_target.Name} requires a token: give the same token with --token-file FILE."
                : $"{_target.Name} uses no token, so it cannot prove its identity: omit --token-file, or start the responder with "
                    + "--token-file FILE.");
        }

        if (_target.Token is null)
        {
            return;
        }

        // The responder proves first: whoever merely answers in its place gets no proof of this end, from which to guess a weak token.
        SessionSecurity security = new(_target.Token, clientHello, serverHello, isClient: true);
        byte[] proof = ReadFrame(FrameType.ServerProof, deadline, cancellation);
        if (proof.Length != Wire.MacSize || !CryptographicOperations.FixedTimeEquals(proof, security.ServerProof))
        {
            throw PeerFailureException.OtherToken(_target.Name);
        }

        Socket.Send(FrameHeader.Frame(FrameType.ClientProof, security.ClientProof, []));
        _security = security;
    }

    private void Finish(Workload workload, EndState peer)
    {
        Peer = peer;
        Local = SocketOptionsApplied.Apply(
            Socket, _platform, workload.NoDelay, workload.Ack == AckBehaviour.Immediate, workload.Spin, null, buffersBeforeListen: true);
    }
}
