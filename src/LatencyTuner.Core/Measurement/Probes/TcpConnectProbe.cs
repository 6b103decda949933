using System.Net;
using System.Net.Sockets;

namespace LatencyTuner.Core.Measurement.Probes;

/// <summary>Opens a TCP connection and closes it at once: SYN to SYN/ACK, so one round trip and the peer's accept queue.</summary>
/// <param name="name">The target as the user gave it.</param>
/// <param name="endpoint">Where it is.</param>
/// <param name="timeout">Longest wait.</param>
/// <param name="time">The clock.</param>
public sealed class TcpConnectProbe(string name, IPEndPoint endpoint, TimeSpan timeout, TimeProvider time) : PhasedProbe
{
    private readonly long[] _ns = new long[1];
    private Socket? _socket;

    /// <inheritdoc/>
    public override IReadOnlyList<string> Phases { get; } = ["connect"];

    /// <inheritdoc/>
    public override ReadOnlySpan<long> PhaseNs => _ns;

    /// <inheritdoc/>
    public override void Exchange()
    {
        using Socket socket = new(endpoint.AddressFamily, SocketType.Stream, ProtocolType.Tcp) { Blocking = false };
        _socket = socket;
        long start = time.GetTimestamp();
        try
        {
            Connect(socket);
        }
        catch (SocketException e)
        {
            throw ProbeErrors.Of(name, e);
        }
        catch (ObjectDisposedException e)
        {
            throw ProbeErrors.Closed(name, e);
        }
        _ns[0] = (long)time.GetElapsedTime(start).TotalNanoseconds;
    }

    /// <inheritdoc/>
    public override void Interrupt() => _socket?.Dispose();

    /// <inheritdoc/>
    protected override void Close() => _socket?.Dispose();

    private void Connect(Socket socket)
    {
        try
        {
            socket.Connect(endpoint);
            return;
        }
        catch (SocketException e) when (e.SocketErrorCode is SocketError.WouldBlock or SocketError.InProgress)
        {
            // Under way; the wait below ends with the answer.
        }
        if (!socket.Poll(timeout, SelectMode.SelectWrite) && !socket.Poll(TimeSpan.Zero, SelectMode.SelectError))
            throw ProbeErrors.Timeout(name, "did not answer the connection attempt", timeout);
        int error = (int)socket.GetSocketOption(SocketOptionLevel.Socket, SocketOptionName.Error)!;
        if (error != 0)
            throw new SocketException(error);
    }
}
