using System.Buffers.Binary;
using LatencyTuner.Lab;

namespace LatencyTuner.Tests.Lab;

/// <summary>Builds Ethernet frames with one TCP segment between the lab's hosts.</summary>
internal static class Frames
{
    public static byte[] Tcp(
        LabHost from,
        uint sequence,
        uint acknowledgement,
        int payload = 0,
        TcpControl control = TcpControl.Ack,
        ushort clientPort = 50000,
        bool isIPv6 = false,
        ushort window = 500)
    {
        int ip = isIPv6 ? 40 : 20;
        byte[] frame = new byte[14 + ip + 20 + payload];
        Span<byte> packet = frame.AsSpan(14);
        if (isIPv6)
        {
            BinaryPrimitives.WriteUInt16BigEndian(frame.AsSpan(12), 0x86dd);
            packet[0] = 0x60;
            BinaryPrimitives.WriteUInt16BigEndian(packet[4..], (ushort)(20 + payload));
            packet[6] = 6;
            (from == LabHost.Client ? LabNetwork.ClientAddress6 : LabNetwork.ServerAddress6).GetAddressBytes().CopyTo(packet[8..]);
            (from == LabHost.Client ? LabNetwork.ServerAddress6 : LabNetwork.ClientAddress6).GetAddressBytes().CopyTo(packet[24..]);
        }
        else
        {
            BinaryPrimitives.WriteUInt16BigEndian(frame.AsSpan(12), 0x0800);
            packet[0] = 0x45;
            BinaryPrimitives.WriteUInt16BigEndian(packet[2..], (ushort)(40 + payload));
            packet[9] = 6;
            (from == LabHost.Client ? LabNetwork.ClientAddress : LabNetwork.ServerAddress).GetAddressBytes().CopyTo(packet[12..]);
            (from == LabHost.Client ? LabNetwork.ServerAddress : LabNetwork.ClientAddress).GetAddressBytes().CopyTo(packet[16..]);
        }

        Span<byte> tcp = packet[ip..];
        BinaryPrimitives.WriteUInt16BigEndian(tcp, from == LabHost.Client ? clientPort : (ushort)7117);
        BinaryPrimitives.WriteUInt16BigEndian(tcp[2..], from == LabHost.Client ? (ushort)7117 : clientPort);
        BinaryPrimitives.WriteUInt32BigEndian(tcp[4..], sequence);
        BinaryPrimitives.WriteUInt32BigEndian(tcp[8..], acknowledgement);
        tcp[12] = 0x50;
        tcp[13] = (byte)control;
        BinaryPrimitives.WriteUInt16BigEndian(tcp[14..], window);
        return frame;
    }
}
