using System.Buffers.Binary;
using System.Text;

namespace LatencyTuner.Core.Capture;

/// <summary>Writes pcapng (draft-ietf-opsawg-pcapng): a section, each interface before its first packet, packets with nanosecond times and comments.</summary>
/// <param name="stream">The output; stays open.</param>
internal sealed class PcapngWriter(Stream stream)
{
    private const ushort Comment = 1;
    private const ushort PacketFlags = 2;
    private const ushort InterfaceName = 2;
    private const ushort InterfaceDescription = 3;
    private const ushort TimeResolution = 9;

    private readonly Dictionary<(int LinkType, string Name), int> _interfaces = [];
    private bool _begun;

    /// <summary>Writes a packet.</summary>
    /// <param name="frame">The packet; its frame number and interface number are not used.</param>
    /// <param name="interfaceName">Name of the interface it was captured at.</param>
    /// <param name="interfaceDescription">Description of that interface; empty for none.</param>
    /// <param name="comment">Packet comment; empty for none.</param>
    /// <param name="direction">1 for a received packet, 2 for a sent one, 0 when unknown.</param>
    internal void Write(in CapturedFrame frame, string interfaceName, string interfaceDescription, string comment, int direction = 0)
    {
        Begin();
        if (!_interfaces.TryGetValue((frame.LinkType, interfaceName), out int number))
        {
            _interfaces.Add((frame.LinkType, interfaceName), number = _interfaces.Count);
            List<byte> description = [.. Bytes16((ushort)frame.LinkType), 0, 0, .. Bytes32(0)];
            Option(description, InterfaceName, Encoding.UTF8.GetBytes(interfaceName));
            if (interfaceDescription.Length > 0)
            {
                Option(description, InterfaceDescription, Encoding.UTF8.GetBytes(interfaceDescription));
            }

            Option(description, TimeResolution, [9]);
            description.AddRange(Bytes32(0));
            Block(1, description);
        }

        List<byte> body = new(frame.Data.Length + 64);
        body.AddRange(Bytes32((uint)number));
        body.AddRange(Bytes32((uint)(frame.TimeNs >> 32)));
        body.AddRange(Bytes32((uint)frame.TimeNs));
        body.AddRange(Bytes32((uint)frame.Data.Length));
        body.AddRange(Bytes32((uint)frame.OriginalLength));
        body.AddRange(frame.Data);
        Pad(body);
        if (comment.Length > 0)
        {
            Option(body, Comment, Encoding.UTF8.GetBytes(comment));
        }

        if (direction != 0)
        {
            Option(body, PacketFlags, Bytes32((uint)direction));
        }

        if (comment.Length > 0 || direction != 0)
        {
            body.AddRange(Bytes32(0));
        }

        Block(6, body);
    }

    /// <summary>Writes the section header if no packet has done so, so that a file without packets is valid too.</summary>
    public void Begin()
    {
        if (!_begun)
        {
            _begun = true;
            Block(0x0A0D_0D0A, [.. Bytes32(0x1A2B_3C4D), .. Bytes16(1), .. Bytes16(0), .. Bytes32(uint.MaxValue), .. Bytes32(uint.MaxValue)]);
        }
    }

    internal static byte[] Bytes16(ushort value)
    {
        byte[] bytes = new byte[2];
        BinaryPrimitives.WriteUInt16LittleEndian(bytes, value);
        return bytes;
    }

    internal static byte[] Bytes32(uint value)
    {
        byte[] bytes = new byte[4];
        BinaryPrimitives.WriteUInt32LittleEndian(bytes, value);
        return bytes;
    }

    internal static void Option(List<byte> body, ushort code, byte[] value)
    {
        body.AddRange(Bytes16(code));
        body.AddRange(Bytes16((ushort)value.Length));
        body.AddRange(value);
        Pad(body);
    }

    internal static void Pad(List<byte> body)
    {
        while (body.Count % 4 != 0)
        {
            body.Add(0);
        }
    }

    internal void Block(uint type, List<byte> body)
    {
        uint length = (uint)body.Count + 12;
        stream.Write(Bytes32(type));
        stream.Write(Bytes32(length));
        stream.Write(System.Runtime.InteropServices.CollectionsMarshal.AsSpan(body));
        stream.Write(Bytes32(length));
    }
}
