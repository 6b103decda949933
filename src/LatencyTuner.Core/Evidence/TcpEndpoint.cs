using System.Buffers.Binary;
using System.Net;

namespace LatencyTuner.Core.Evidence;

/// <summary>Address and port of one end of a connection, as a value without references, so that it can be a key at millions of events a second.</summary>
internal readonly record struct TcpEndpoint
{
    private readonly ulong _high;
    private readonly ulong _low;

    private TcpEndpoint(ulong high, ulong low, bool isIPv6, ushort port) => (_high, _low, IsIPv6, Port, IsKnown) = (high, low, isIPv6, port, true);

    /// <summary>False for the default value: no address was seen.</summary>
    public bool IsKnown { get; }

    /// <summary>True for an IPv6 address.</summary>
    public bool IsIPv6 { get; }

    /// <summary>The port, 0 to 65535.</summary>
    public ushort Port { get; }

    /// <summary>The address.</summary>
    /// <exception cref="InvalidOperationException">No address was seen.</exception>
    public IPAddress Address
    {
        get
        {
            if (!IsKnown)
            {
                throw new InvalidOperationException("The end is unknown.");
            }

            Span<byte> bytes = stackalloc byte[16];
            BinaryPrimitives.WriteUInt64BigEndian(bytes, _high);
            BinaryPrimitives.WriteUInt64BigEndian(bytes[8..], _low);
            return new IPAddress(IsIPv6 ? bytes : bytes[12..]);
        }
    }

    /// <summary>The end with an address given as bytes.</summary>
    /// <param name="address">4 or 16 bytes in network byte order.</param>
    /// <param name="port">The port in host byte order.</param>
    /// <exception cref="ArgumentException">Neither 4 nor 16 bytes.</exception>
    public static TcpEndpoint Of(ReadOnlySpan<byte> address, ushort port) => address.Length switch
    {
        4 => new TcpEndpoint(0, BinaryPrimitives.ReadUInt32BigEndian(address), false, port),
        16 => new TcpEndpoint(BinaryPrimitives.ReadUInt64BigEndian(address), BinaryPrimitives.ReadUInt64BigEndian(address[8..]), true, port),
        _ => throw new ArgumentException($"An address has 4 or 16 bytes, not {address.Length}.", nameof(address)),
    };

    /// <summary>Reads a SOCKADDR_IN or SOCKADDR_IN6 (ws2def.h, ws2ipdef.h).</summary>
    /// <param name="address">The structure; what follows the address is ignored.</param>
    /// <param name="endpoint">The end.</param>
    /// <returns>False for another address family, or when the structure is cut off.</returns>
    public static bool TryReadSocketAddress(ReadOnlySpan<byte> address, out TcpEndpoint endpoint)
    {
        endpoint = default;
        if (address.Length < 8)
        {
            return false;
        }

        ushort port = BinaryPrimitives.ReadUInt16BigEndian(address[2..]);
        switch (BinaryPrimitives.ReadUInt16LittleEndian(address))
        {
            case 2:
                endpoint = Of(address.Slice(4, 4), port);
                return true;
            case 23 when address.Length >= 24:
                endpoint = Of(address.Slice(8, 16), port);
                return true;
            default:
                return false;
        }
    }

    /// <summary>The same address with another port.</summary>
    /// <param name="port">The other port, 0 to 65535.</param>
    public TcpEndpoint WithPort(ushort port) => IsKnown ? new TcpEndpoint(_high, _low, IsIPv6, port) : default;

    /// <summary><c>10.0.0.1:445</c>, <c>[fe80::1]:445</c>, or <c>unknown</c>.</summary>
    public override string ToString() => IsKnown ? new IPEndPoint(Address, Port).ToString() : "unknown";
}
