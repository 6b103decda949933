using System.Buffers.Binary;

namespace LatencyTuner.Core.Capture;

/// <summary>Walks the extension headers of IPv6 (RFC 8200 4) up to the payload or to a fragment header.</summary>
internal ref struct Ipv6Headers(byte next, ReadOnlySpan<byte> bytes)
{
    private const int Unit = 8;
    private const byte JumboPayload = 0xC2;

    private readonly ReadOnlySpan<byte> _bytes = bytes;

    /// <summary>The next header value for the bytes at <see cref="Offset"/>: a protocol, or <see cref="IpProtocol.Fragment"/>.</summary>
    public byte Next { get; private set; } = next;

    /// <summary>Length of the skipped headers in bytes; can be larger than the number of captured bytes.</summary>
    public int Offset { get; private set; }

    /// <summary>Payload length in bytes from a jumbo option (RFC 2675); 0 without this option.</summary>
    public uint Jumbo { get; private set; }

    /// <summary>Walks to the payload or to the next fragment header.</summary>
    /// <returns>False when the captured bytes end first.</returns>
    public bool TryWalk()
    {
        while (Next is IpProtocol.HopByHop or IpProtocol.Routing or IpProtocol.DestinationOptions or IpProtocol.Authentication
            or IpProtocol.Mobility or IpProtocol.HostIdentity or IpProtocol.Shim6)
        {
            if (_bytes.Length < Offset + Unit)
            {
                return false;
            }

            ReadOnlySpan<byte> header = _bytes[Offset..];
            // RFC 4302 2.2: the length of the authentication header is in units of four bytes, minus 2.
            int length = Next == IpProtocol.Authentication ? (header[1] + 2) * 4 : (header[1] + 1) * Unit;
            if (Next == IpProtocol.HopByHop)
            {
                ReadJumbo(header[2..Math.Min(length, header.Length)]);
            }

            Next = header[0];
            Offset += length;
        }

        return Offset <= _bytes.Length;
    }

    private void ReadJumbo(ReadOnlySpan<byte> options)
    {
        while (options.Length >= 2)
        {
            if (options[0] == 0)
            {
                options = options[1..];
                continue;
            }

            int length = 2 + options[1];
            if (length > options.Length)
            {
                return;
            }

            if (options[0] == JumboPayload && length == 6)
            {
                Jumbo = BinaryPrimitives.ReadUInt32BigEndian(options[2..]);
            }

            options = options[length..];
        }
    }
}
