using System.Buffers.Binary;
using System.Net;
using System.Net.Sockets;
using LatencyTuner.Core.Sockets;

namespace LatencyTuner.Core.Measurement.Probes;

/// <summary>
/// An ICMP echo request of 32 bytes. On Linux through a datagram socket, which needs no privilege where <c>net.ipv4.ping_group_range</c> covers the
/// group (icmp(7)), otherwise through a raw socket; on Windows through the system's own echo function.
/// </summary>
public sealed class IcmpProbe : PhasedProbe
{
    private const int HeaderBytes = 8;
    private const int PayloadBytes = 32;
    private readonly string _name;
    private readonly IPEndPoint _endpoint;
    private readonly TimeSpan _timeout;
    private readonly TimeProvider _time;
    private readonly Socket? _socket;
    private readonly SystemEcho? _system;
    private readonly bool _raw;
    private readonly byte[] _request = new byte[HeaderBytes + PayloadBytes];
    private readonly byte[] _reply = new byte[2048];
    private readonly long[] _ns = new long[1];
    private ushort _sequence;

    private IcmpProbe(string name, IPEndPoint endpoint, TimeSpan timeout, TimeProvider time, Socket? socket, bool raw, SystemEcho? system = null)
    {
        _name = name;
        _endpoint = endpoint;
        _timeout = timeout;
        _time = time;
        _socket = socket;
        _raw = raw;
        _system = system;
    }

    /// <inheritdoc/>
    public override IReadOnlyList<string> Phases { get; } = ["echo"];

    /// <inheritdoc/>
    public override ReadOnlySpan<long> PhaseNs => _ns;

    private bool V6 => _endpoint.AddressFamily == AddressFamily.InterNetworkV6;

    /// <summary>Opens a socket for echo requests.</summary>
    /// <param name="name">The target as the user gave it.</param>
    /// <param name="address">Its IP address.</param>
    /// <param name="timeout">Longest wait for an echo reply.</param>
    /// <param name="context">Clock and randomness.</param>
    /// <exception cref="ExpectedFailureException">This account is not allowed to send echo requests (<see cref="ExitCode.Platform"/>).</exception>
    public static IcmpProbe Open(string name, IPAddress address, TimeSpan timeout, MeasuringContext context)
    {
        ArgumentNullException.ThrowIfNull(address);
        ArgumentNullException.ThrowIfNull(context);
        IPEndPoint endpoint = new(address, 0);
        if (context.Platform.OpenEcho(address) is { } echo)
        {
            return new IcmpProbe(name, endpoint, timeout, context.Time, null, raw: false, echo);
        }

        (Socket socket, bool raw) = OpenSocket(name, address.AddressFamily);
        IcmpProbe probe = new(name, endpoint, timeout, context.Time, socket, raw);
        context.Random.GetBytes(probe._request.AsSpan(HeaderBytes));
        context.Random.GetBytes(probe._request.AsSpan(4, 2));
        return probe;
    }

    /// <inheritdoc/>
    public override void Exchange()
    {
        long start = _time.GetTimestamp();
        try
        {
            if (_system is not null)
            {
                Ask(_system);
            }
            else
            {
                Ask(_socket!, start);
            }
        }
        catch (SocketException e) when (e.SocketErrorCode is SocketError.TimedOut or SocketError.WouldBlock)
        {
            throw EchoStatus.Silent(_name, _timeout, e);
        }
        catch (SocketException e)
        {
            throw ProbeErrors.Of(_name, e);
        }
        catch (ObjectDisposedException e)
        {
            throw ProbeErrors.Closed(_name, e);
        }
        _ns[0] = (long)_time.GetElapsedTime(start).TotalNanoseconds;
    }

    /// <inheritdoc/>
    public override void Interrupt()
    {
        _system?.Interrupt();
        _socket?.Dispose();
    }

    /// <inheritdoc/>
    protected override void Close()
    {
        _socket?.Dispose();
        _system?.Dispose();
    }

    private static (Socket Socket, bool Raw) OpenSocket(string name, AddressFamily family)
    {
        ProtocolType protocol = family == AddressFamily.InterNetworkV6 ? ProtocolType.IcmpV6 : ProtocolType.Icmp;
        try
        {
            return (new Socket(family, SocketType.Dgram, protocol), false);
        }
        catch (SocketException)
        {
            // The group is outside of the range; with more privileges a raw socket works.
        }
        try
        {
            return (new Socket(family, SocketType.Raw, protocol), true);
        }
        catch (SocketException e)
        {
            throw new ExpectedFailureException(
                ExitCode.Platform,
                $"{name} cannot be measured: this account is not allowed to send ICMP echo requests. Set net.ipv4.ping_group_range to include its "
                + "group, or run as root.", e);
        }
    }

    private void Ask(SystemEcho system)
    {
        uint status = system.Ask(_request.AsSpan(HeaderBytes), _timeout);
        if (status != 0)
        {
            throw EchoStatus.Failure(_name, status, _timeout);
        }
    }

    private void Ask(Socket socket, long start)
    {
        _request[0] = (byte)(V6 ? 128 : 8);
        _request[2] = _request[3] = 0;
        BinaryPrimitives.WriteUInt16BigEndian(_request.AsSpan(6), ++_sequence);
        // Every request has a different payload, so that a late reply is not taken for another one.
        BinaryPrimitives.WriteUInt32BigEndian(_request.AsSpan(HeaderBytes), BinaryPrimitives.ReadUInt32BigEndian(_request.AsSpan(HeaderBytes)) + 1);
        if (!V6)
        {
            BinaryPrimitives.WriteUInt16BigEndian(_request.AsSpan(2), Checksum(_request));
        }

        socket.SendTo(_request, _endpoint);
        while (true)
        {
            TimeSpan left = _timeout - _time.GetElapsedTime(start);
            if (left <= TimeSpan.Zero)
            {
                throw EchoStatus.Silent(_name, _timeout);
            }

            socket.ReceiveTimeout = (int)Math.Max(1, left.TotalMilliseconds);
            EndPoint from = new IPEndPoint(V6 ? IPAddress.IPv6Any : IPAddress.Any, 0);
            int length = socket.ReceiveFrom(_reply, ref from);
            if (IsAnswer(_reply.AsSpan(0, length)))
            {
                return;
            }
        }
    }

    private bool IsAnswer(ReadOnlySpan<byte> packet)
    {
        // A raw IPv4 socket gives the IP header as well (raw(7)).
        if (_raw && !V6)
        {
            int header = packet.Length > 0 ? (packet[0] & 0xF) * 4 : 0;
            if (header < 20 || packet.Length < header)
            {
                return false;
            }

            packet = packet[header..];
        }
        return packet.Length == _request.Length
            && packet[0] == (V6 ? 129 : 0)
            && packet[6..].SequenceEqual(_request.AsSpan(6));
    }

    /// <summary>The Internet checksum (RFC 1071) with the checksum field as zero.</summary>
    private static ushort Checksum(ReadOnlySpan<byte> bytes)
    {
        uint sum = 0;
        for (int i = 0; i < bytes.Length; i += 2)
        {
            sum += BinaryPrimitives.ReadUInt16BigEndian(bytes[i..]);
        }

        while (sum > 0xFFFF)
        {
            sum = (sum & 0xFFFF) + (sum >> 16);
        }

        return (ushort)~sum;
    }
}
