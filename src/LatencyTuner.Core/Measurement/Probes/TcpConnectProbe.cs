using System.Net;
using System.Net.Sockets;
using LatencyTuner.Core.Sockets;

namespace LatencyTuner.Core.Measurement.Probes;

/// <summary>Opens a TCP connection and closes it at once: SYN to SYN/ACK, one round trip and the peer's accept queue.</summary>
/// <param name="name">The target as the user gave it.</param>
/// <param name="endpoint">Its IP address and port.</param>
/// <param name="timeout">Longest wait for the connection.</param>
/// <param name="context">Clock and platform.</param>
internal sealed class TcpConnectProbe(string name, IPEndPoint endpoint, TimeSpan timeout, MeasuringContext context) : PhasedProbe, IPolledProbe
{
    private readonly long[] _ns = new long[1];
    private readonly SocketAddress _address = endpoint.Serialize();
    private volatile Socket? _socket;
    private volatile bool _interrupted;

    /// <inheritdoc/>
    public override IReadOnlyList<string> Phases { get; } = ["connect"];

    /// <inheritdoc/>
    public override ReadOnlySpan<long> PhaseNs => _ns;

    /// <inheritdoc/>
    public TimeSpan ReplyTimeout => timeout;

    /// <inheritdoc/>
    public PollEntry Entry => _interrupted || _socket is not { } socket ? throw ProbeErrors.Closed(name) : new PollEntry(socket.Handle, false, true);

    /// <inheritdoc/>
    public void Begin()
    {
        try
        {
            Socket socket = new(endpoint.AddressFamily, SocketType.Stream, ProtocolType.Tcp) { Blocking = false };
            _socket = socket;
            SocketError error = context.Platform.StartConnect(socket.Handle, _address.Buffer.Span[.._address.Size]);
            if (error != SocketError.Success)
            {
                throw new SocketException((int)error);
            }
        }
        catch (SocketException e)
        {
            Close();
            throw ProbeErrors.Of(name, e);
        }
    }

    /// <inheritdoc/>
    public bool Advance()
    {
        try
        {
            SocketError error = Outcome();
            return error == SocketError.Success ? true : throw new SocketException((int)error);
        }
        catch (SocketException e)
        {
            throw ProbeErrors.Of(name, e);
        }
        finally
        {
            Close();
        }
    }

    PeerFailureException IPolledProbe.Overdue()
    {
        // WSAPoll of Windows before version 2004 never reports that a connect has failed.
        SocketError error = Outcome();
        return error == SocketError.Success
            ? ProbeErrors.Timeout(name, "did not answer the connection attempt", timeout)
            : ProbeErrors.Of(name, new SocketException((int)error));
    }

    /// <inheritdoc/>
    public override void Exchange()
    {
        long start = context.Time.GetTimestamp();
        PolledExchange.Run(this, context);
        _ns[0] = (long)context.Time.GetElapsedTime(start).TotalNanoseconds;
    }

    /// <inheritdoc/>
    public override void Interrupt()
    {
        _interrupted = true;
        if (_socket is { } socket)
        {
            context.Platform.Interrupt(socket);
        }
    }

    /// <inheritdoc/>
    protected override void Close()
    {
        _socket?.Dispose();
        _socket = null;
    }

    private SocketError Outcome() =>
        _socket is { } socket && !_interrupted ? (SocketError)(int)socket.GetSocketOption(SocketOptionLevel.Socket, SocketOptionName.Error)!
            : SocketError.Shutdown;
}
