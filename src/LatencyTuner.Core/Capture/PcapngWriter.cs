using System.Buffers.Binary;
using System.Text;

namespace LatencyTuner.Core.Capture;

/// <summary>Writes pcapng (draft-ietf-opsawg-pcapng): a section, its interfaces as they come up, packets with nanoseconds and comments.</summary>
/// <param name="stream">Where to; stays open.</param>
public sealed class PcapngWriter(Stream stream)
{
    private const ushort Comment = 1;
    private const ushort InterfaceName = 2;
    private const ushort TimeResolution = 9;

    private readonly Dictionary<(int LinkType, string Name), int> _interfaces = [];
    private bool _begun;

    /// <summary>Writes a packet.</summary>
    /// <param name="timeNs">Nanoseconds since 1970.</param>
    /// <param name="linkType">Link type as pcap numbers it.</param>
    /// <param name="interfaceName">The interface it was captured at.</param>
    /// <param name="originalLength">Bytes on the wire.</param>
    /// <param name="data">The captured bytes.</param>
    /// <param name="comment">What the reader of the packet must know; empty for nothing.</param>
    public void Write(long timeNs, int linkType, string interfaceName, int originalLength, ReadOnlySpan<byte> data, string comment)
    {
        Begin();
        if (!_interfaces.TryGetValue((linkType, interfaceName), out int number))
        {
            _interfaces.Add((linkType, interfaceName), number = _interfaces.Count);
            List<byte> description = [.. Bytes16((ushort)linkType), 0, 0, .. Bytes32(0)];
            Option(description, InterfaceName, Encoding.UTF8.GetBytes(interfaceName));
            Option(description, TimeResolution, [9]);
            description.AddRange(Bytes32(0));
            Block(1, description);
        }

        List<byte> body = new(data.Length + 64);
        body.AddRange(Bytes32((uint)number));
        body.AddRange(Bytes32((uint)(timeNs >> 32)));
        body.AddRange(Bytes32((uint)timeNs));
        body.AddRange(Bytes32((uint)data.Length));
        body.AddRange(Bytes32((uint)originalLength));
        body.AddRange(data);
        Pad(body);
        if (comment.Length > 0)
        {
            Option(body, Comment, Encoding.UTF8.GetBytes(comment));
            body.AddRange(Bytes32(0));
        }

        Block(6, body);
    }

    /// <summary>Writes the section's head, if no packet has done so: a file without packets is one too.</summary>
    public void Begin()
    {
        if (!_begun)
        {
            _begun = true;
            Block(0x0A0D_0D0A, [.. Bytes32(0x1A2B_3C4D), .. Bytes16(1), .. Bytes16(0), .. Bytes32(uint.MaxValue), .. Bytes32(uint.MaxValue)]);
        }
    }

    private static byte[] Bytes16(ushort value)
    {
        byte[] bytes = new byte[2];
        BinaryPrimitives.WriteUInt16LittleEndian(bytes, value);
        return bytes;
    }

    private static byte[] Bytes32(uint value)
    {
        byte[] bytes = new byte[4];
        BinaryPrimitives.WriteUInt32LittleEndian(bytes, value);
        return bytes;
    }

    private static void Option(List<byte> body, ushort code, byte[] value)
    {
        body.AddRange(Bytes16(code));
        body.AddRange(Bytes16((ushort)value.Length));
        body.AddRange(value);
        Pad(body);
    }

    private static void Pad(List<byte> body)
    {
        while (body.Count % 4 != 0)
        {
            body.Add(0);
        }
    }

    private void Block(uint type, List<byte> body)
    {
        uint length = (uint)body.Count + 12;
        stream.Write(Bytes32(type));
        stream.Write(Bytes32(length));
        stream.Write(System.Runtime.InteropServices.CollectionsMarshal.AsSpan(body));
        stream.Write(Bytes32(length));
    }
}
