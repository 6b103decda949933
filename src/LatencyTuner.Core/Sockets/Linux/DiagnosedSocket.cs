using System.Buffers.Binary;
using System.Net;
using System.Text;
using LatencyTuner.Core.Evidence;

namespace LatencyTuner.Core.Sockets.Linux;

/// <summary>
/// A socket as sock_diag(7) answers: <c>struct inet_diag_msg</c> and its attributes (include/uapi/linux/inet_diag.h). Lengths are those of the kernel and
/// checked all the same.
/// </summary>
internal sealed record DiagnosedSocket
{
    private const int HeaderSize = 72;
    private const int AttributeHeader = 4;
    private const int InfoAttribute = 2;
    private const int CongestionAttribute = 4;
    private const int MemoryAttribute = 7;
    private const int ReceiveBufferIndex = 1;
    private const int SendBufferIndex = 3;

    internal required SocketState State { get; init; }

    internal required IPEndPoint Local { get; init; }

    internal required IPEndPoint Remote { get; init; }

    /// <summary>The number of the socket in /proc/PID/fd; 0 when no descriptor holds it.</summary>
    internal required uint Inode { get; init; }

    /// <summary>The number that the kernel never gives twice (SO_COOKIE); 0 when unknown.</summary>
    internal required ulong Cookie { get; init; }

    /// <summary>The user who made the socket.</summary>
    internal required uint User { get; init; }

    internal long? SendBufferBytes { get; init; }

    internal long? ReceiveBufferBytes { get; init; }

    internal string? CongestionControl { get; init; }

    /// <summary><c>struct tcp_info</c>; empty when the kernel gave none.</summary>
    internal byte[] Info { get; init; } = [];

    /// <summary>Reads one message.</summary>
    /// <param name="message">The message without its netlink header.</param>
    /// <returns>The socket; null for another family, or when the message is cut off.</returns>
    internal static DiagnosedSocket? Read(ReadOnlySpan<byte> message)
    {
        if (message.Length < HeaderSize || (message[0] != LinuxProcessNative.FamilyIPv4 && message[0] != LinuxProcessNative.FamilyIPv6))
        {
            return null;
        }

        int width = message[0] == LinuxProcessNative.FamilyIPv4 ? 4 : 16;
        DiagnosedSocket socket = new()
        {
            State = StateOf(message[1]),
            Local = End(message.Slice(8, width), message[4..]),
            Remote = End(message.Slice(24, width), message[6..]),
            Cookie = BinaryPrimitives.ReadUInt64LittleEndian(message[44..]),
            User = BinaryPrimitives.ReadUInt32LittleEndian(message[64..]),
            Inode = BinaryPrimitives.ReadUInt32LittleEndian(message[68..]),
        };
        ReadOnlySpan<byte> rest = message[HeaderSize..];
        while (rest.Length >= AttributeHeader && BinaryPrimitives.ReadUInt16LittleEndian(rest) is var length && length >= AttributeHeader
            && length <= rest.Length)
        {
            socket = socket.With(BinaryPrimitives.ReadUInt16LittleEndian(rest[2..]), rest[AttributeHeader..length]);
            rest = rest[Math.Min((length + 3) & ~3, rest.Length)..];
        }

        return socket;
    }

    private DiagnosedSocket With(int attribute, ReadOnlySpan<byte> value) => attribute switch
    {
        InfoAttribute => this with { Info = value.ToArray() },
        CongestionAttribute => this with { CongestionControl = Encoding.ASCII.GetString(value.TrimEnd((byte)0)) },
        MemoryAttribute when value.Length >= (SendBufferIndex + 1) * 4 => this with
        {
            ReceiveBufferBytes = BinaryPrimitives.ReadUInt32LittleEndian(value[(ReceiveBufferIndex * 4)..]),
            SendBufferBytes = BinaryPrimitives.ReadUInt32LittleEndian(value[(SendBufferIndex * 4)..]),
        },
        _ => this,
    };

    private static IPEndPoint End(ReadOnlySpan<byte> address, ReadOnlySpan<byte> port) =>
        new(SocketSelection.Unmapped(new IPAddress(address)), BinaryPrimitives.ReadUInt16BigEndian(port));

    /// <summary>The states of include/net/tcp_states.h.</summary>
    internal static SocketState StateOf(int state) => state switch
    {
        1 => SocketState.Established,
        2 => SocketState.SynSent,
        3 or 12 => SocketState.SynReceived,
        4 => SocketState.FinWait1,
        5 => SocketState.FinWait2,
        6 => SocketState.TimeWait,
        7 => SocketState.Closed,
        8 => SocketState.CloseWait,
        9 => SocketState.LastAck,
        10 => SocketState.Listen,
        11 => SocketState.Closing,
        _ => SocketState.Unknown,
    };
}
