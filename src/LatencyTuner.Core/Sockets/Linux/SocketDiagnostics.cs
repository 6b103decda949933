using System.Buffers.Binary;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;

namespace LatencyTuner.Core.Sockets.Linux;

/// <summary>Asks the kernel for all TCP sockets of a network namespace: NETLINK_SOCK_DIAG, <c>struct inet_diag_req_v2</c> (sock_diag(7)).</summary>
[SupportedOSPlatform("linux")]
internal static unsafe class SocketDiagnostics
{
    private const int MessageHeader = 16;
    private const int RequestSize = MessageHeader + 56;
    private const ushort ByFamily = 20;
    private const ushort RequestDump = 0x301;
    private const ushort ErrorMessage = 2;
    private const ushort DoneMessage = 3;
    private const byte ProtocolTcp = 6;

    /// <summary>INET_DIAG_INFO, INET_DIAG_CONG and INET_DIAG_SKMEMINFO: bit n-1 of attribute n.</summary>
    private const byte Extensions = (1 << 1) | (1 << 3) | (1 << 6);

    /// <summary>All states but TCP_CLOSE (7), which are sockets without a connection.</summary>
    private const uint States = 0x1FFF & ~(1u << 7);

    /// <summary>The sockets of the namespace of the calling thread.</summary>
    /// <param name="sockets">Receives them.</param>
    /// <returns>False when the kernel refuses or does not have the call.</returns>
    internal static bool TryDump(List<DiagnosedSocket> sockets)
    {
        int before = sockets.Count;
        if (TryDump(LinuxProcessNative.FamilyIPv4, sockets) && TryDump(LinuxProcessNative.FamilyIPv6, sockets))
        {
            return true;
        }

        sockets.RemoveRange(before, sockets.Count - before);
        return false;
    }

    private static bool TryDump(byte family, List<DiagnosedSocket> sockets)
    {
        int netlink = LinuxProcessNative.Socket(
            LinuxProcessNative.FamilyNetlink, LinuxProcessNative.SocketRaw | LinuxProcessNative.CloseOnExec, LinuxProcessNative.NetlinkSockDiag);
        if (netlink < 0)
        {
            return false;
        }

        try
        {
            byte* request = stackalloc byte[RequestSize];
            Span<byte> bytes = new(request, RequestSize);
            bytes.Clear();
            BinaryPrimitives.WriteInt32LittleEndian(bytes, RequestSize);
            BinaryPrimitives.WriteUInt16LittleEndian(bytes[4..], ByFamily);
            BinaryPrimitives.WriteUInt16LittleEndian(bytes[6..], RequestDump);
            bytes[16] = family;
            bytes[17] = ProtocolTcp;
            bytes[18] = Extensions;
            BinaryPrimitives.WriteUInt32LittleEndian(bytes[20..], States);
            return LinuxProcessNative.Send(netlink, request, RequestSize, 0) == RequestSize && Receive(netlink, sockets);
        }
        finally
        {
            _ = LinuxProcessNative.Close(netlink);
        }
    }

    private static bool Receive(int netlink, List<DiagnosedSocket> sockets)
    {
        byte[] buffer = new byte[64 * 1024];
        while (true)
        {
            nint received;
            fixed (byte* room = buffer)
            {
                received = LinuxProcessNative.Receive(netlink, room, (nuint)buffer.Length, 0);
            }

            if (received < 0 && Marshal.GetLastPInvokeError() == LinuxNative.ErrnoInterrupted)
            {
                continue;
            }

            if (received <= 0)
            {
                return false;
            }

            if (Take(buffer.AsSpan(0, (int)received), sockets) is { } ended)
            {
                return ended;
            }
        }
    }

    /// <summary>Reads the messages of one answer.</summary>
    /// <param name="answer">Whole netlink messages.</param>
    /// <param name="sockets">Receives the sockets.</param>
    /// <returns>True at the end of the dump, false when it failed, null when more follows.</returns>
    internal static bool? Take(ReadOnlySpan<byte> answer, List<DiagnosedSocket> sockets)
    {
        while (answer.Length >= MessageHeader)
        {
            uint length = BinaryPrimitives.ReadUInt32LittleEndian(answer);
            if (length < MessageHeader || length > answer.Length)
            {
                return false;
            }

            switch (BinaryPrimitives.ReadUInt16LittleEndian(answer[4..]))
            {
                case DoneMessage:
                    return true;
                case ErrorMessage:
                    return false;
                case ByFamily when DiagnosedSocket.Read(answer[MessageHeader..(int)length]) is { } socket:
                    sockets.Add(socket);
                    break;
                default:
                    break;
            }

            answer = answer[(int)Math.Min((length + 3) & ~3u, (uint)answer.Length)..];
        }

        return null;
    }
}
