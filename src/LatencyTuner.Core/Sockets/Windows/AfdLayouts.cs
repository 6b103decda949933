using System.Buffers.Binary;
using System.Net;
using LatencyTuner.Core.Evidence;

namespace LatencyTuner.Core.Sockets.Windows;

/// <summary>
/// The structures that Windows answers with, by offset, on 64-bit systems. They are read as spans, so that tests on any system hold the offsets.
/// </summary>
internal static class AfdLayouts
{
    /// <summary>IOCTL_AFD_GET_CONTEXT: the structure that Winsock shares with the driver.</summary>
    internal const uint GetContext = 0x12043;

    /// <summary>IOCTL_AFD_GET_ADDRESS: the local end as a sockaddr.</summary>
    internal const uint GetAddress = 0x1202F;

    /// <summary>IOCTL_AFD_GET_REMOTE_ADDRESS.</summary>
    internal const uint GetRemoteAddress = 0x1203F;

    /// <summary>IOCTL_AFD_TRANSPORT_IOCTL: getsockopt and WSAIoctl of the transport below.</summary>
    internal const uint TransportIoctl = 0x120BF;

    /// <summary>Size of AFD_TL_IO_CONTROL_INFO.</summary>
    internal const int TransportQuerySize = 32;

    /// <summary>getsockopt in AFD_TL_IO_CONTROL_INFO. There is a type that sets; this program has no constant for it.</summary>
    internal const uint GetOption = 2;

    /// <summary>An ioctl of the socket in AFD_TL_IO_CONTROL_INFO, with level 0.</summary>
    internal const uint Ioctl = 3;

    internal const uint LevelTcp = 6;
    internal const uint LevelSocket = 0xFFFF;
    internal const uint TcpNoDelay = 1;
    internal const uint TcpKeepAlive = 3;
    internal const uint TcpCongestionAlgorithm = 12;
    internal const uint SioTcpInfo = 0xD800_0027;

    /// <summary>Least size of the shared structure, up to its flags.</summary>
    internal const int SharedSize = 46;

    /// <summary>Size of PROCESS_HANDLE_TABLE_ENTRY_INFO.</summary>
    internal const int HandleEntrySize = 40;

    /// <summary>Size of MIB_TCPROW_OWNER_MODULE.</summary>
    internal const int RowSize = 160;

    /// <summary>Size of MIB_TCP6ROW_OWNER_MODULE.</summary>
    internal const int Row6Size = 192;

    /// <summary>Offset of the first row in both tables: the number of rows, aligned to 8 bytes.</summary>
    internal const int FirstRow = 8;

    /// <summary>Fills AFD_TL_IO_CONTROL_INFO.</summary>
    /// <param name="query">32 bytes.</param>
    /// <param name="type"><see cref="GetOption"/> or <see cref="Ioctl"/>.</param>
    /// <param name="level">Level of an option; 0 for an ioctl.</param>
    /// <param name="code">The option or ioctl.</param>
    /// <param name="input">Address of its input; 0 for none.</param>
    /// <param name="inputLength">Length of its input in bytes.</param>
    internal static void WriteQuery(Span<byte> query, uint type, uint level, uint code, ulong input, ulong inputLength)
    {
        query[..TransportQuerySize].Clear();
        BinaryPrimitives.WriteUInt32LittleEndian(query, type is GetOption or Ioctl ? type : throw new ArgumentOutOfRangeException(nameof(type)));
        BinaryPrimitives.WriteUInt32LittleEndian(query[4..], level);
        BinaryPrimitives.WriteUInt32LittleEndian(query[8..], code);
        // The endpoint itself is asked.
        query[12] = 1;
        BinaryPrimitives.WriteUInt64LittleEndian(query[16..], input);
        BinaryPrimitives.WriteUInt64LittleEndian(query[24..], inputLength);
    }

    /// <summary>Reads the shared structure.</summary>
    /// <param name="shared">The answer to <see cref="GetContext"/>, which may be longer or shorter.</param>
    /// <returns>Null when it is cut off before its flags, or the socket is not of TCP.</returns>
    internal static AfdShared? ReadShared(ReadOnlySpan<byte> shared)
    {
        const int Stream = 1;
        const int Tcp = 6;
        const int ReceiveSet = 1 << 14;
        const int SendSet = 1 << 15;
        if (shared.Length < SharedSize || BinaryPrimitives.ReadInt32LittleEndian(shared[8..]) != Stream
            || BinaryPrimitives.ReadInt32LittleEndian(shared[12..]) is not (Tcp or 0))
        {
            return null;
        }

        ushort flags = BinaryPrimitives.ReadUInt16LittleEndian(shared[44..]);
        return new AfdShared(
            (flags & 1) != 0, BinaryPrimitives.ReadUInt32LittleEndian(shared[36..]), BinaryPrimitives.ReadUInt32LittleEndian(shared[40..]),
            (flags & ReceiveSet) != 0, (flags & SendSet) != 0);
    }

    /// <summary>The handles of a process by the index of their type, of PROCESS_HANDLE_SNAPSHOT_INFORMATION.</summary>
    /// <param name="snapshot">The answer to ProcessHandleInformation.</param>
    internal static List<(nint Handle, uint Type)> ReadHandles(ReadOnlySpan<byte> snapshot)
    {
        const int Header = 16;
        List<(nint, uint)> handles = [];
        ulong count = snapshot.Length < Header ? 0 : BinaryPrimitives.ReadUInt64LittleEndian(snapshot);
        for (int at = Header; count > 0 && at + HandleEntrySize <= snapshot.Length; count--, at += HandleEntrySize)
        {
            handles.Add(((nint)BinaryPrimitives.ReadInt64LittleEndian(snapshot[at..]), BinaryPrimitives.ReadUInt32LittleEndian(snapshot[(at + 28)..])));
        }

        return handles;
    }

    /// <summary>The rows of a table of GetExtendedTcpTable.</summary>
    /// <param name="table">The table.</param>
    /// <param name="isIPv6">True for MIB_TCP6TABLE_OWNER_MODULE.</param>
    internal static List<OwnedRow> ReadRows(ReadOnlySpan<byte> table, bool isIPv6)
    {
        List<OwnedRow> rows = [];
        int size = isIPv6 ? Row6Size : RowSize;
        uint count = table.Length < FirstRow ? 0 : BinaryPrimitives.ReadUInt32LittleEndian(table);
        for (int at = FirstRow; count > 0 && at + size <= table.Length; count--, at += size)
        {
            ReadOnlySpan<byte> row = table.Slice(at, size);
            rows.Add(isIPv6
                ? new OwnedRow(StateOf(Number(row, 48)), End(row.Slice(0, 16), row[20..]), End(row.Slice(24, 16), row[44..]), (int)Number(row, 52))
                : new OwnedRow(StateOf(Number(row, 0)), End(row.Slice(4, 4), row[8..]), End(row.Slice(12, 4), row[16..]), (int)Number(row, 20)));
        }

        return rows;
    }

    /// <summary>The states of MIB_TCP_STATE (tcpmib.h).</summary>
    internal static SocketState StateOf(uint state) => state switch
    {
        1 => SocketState.Closed,
        2 => SocketState.Listen,
        3 => SocketState.SynSent,
        4 => SocketState.SynReceived,
        5 => SocketState.Established,
        6 => SocketState.FinWait1,
        7 => SocketState.FinWait2,
        8 => SocketState.CloseWait,
        9 => SocketState.Closing,
        10 => SocketState.LastAck,
        11 => SocketState.TimeWait,
        _ => SocketState.Unknown,
    };

    private static uint Number(ReadOnlySpan<byte> row, int offset) => BinaryPrimitives.ReadUInt32LittleEndian(row[offset..]);

    /// <summary>An address with a port in network byte order in the lower two bytes. Without its scope, which AFD tells in another form.</summary>
    private static IPEndPoint End(ReadOnlySpan<byte> address, ReadOnlySpan<byte> port) =>
        new(SocketSelection.Unmapped(new IPAddress(address)), BinaryPrimitives.ReadUInt16BigEndian(port));
}

/// <summary>What the structure that Winsock shares with its driver says of a TCP socket.</summary>
/// <param name="IsListening">True for a listener.</param>
/// <param name="ReceiveBufferBytes">Receive buffer, bytes.</param>
/// <param name="SendBufferBytes">Send buffer, bytes.</param>
/// <param name="ReceiveBufferFixed">True when the application set it.</param>
/// <param name="SendBufferFixed">True when the application set it.</param>
internal readonly record struct AfdShared(
    bool IsListening, uint ReceiveBufferBytes, uint SendBufferBytes, bool ReceiveBufferFixed, bool SendBufferFixed);

/// <summary>A connection or listener with its process.</summary>
/// <param name="State">Its state.</param>
/// <param name="Local">The end on this host.</param>
/// <param name="Remote">The other end.</param>
/// <param name="Pid">The process; 0 for none.</param>
internal readonly record struct OwnedRow(SocketState State, IPEndPoint Local, IPEndPoint Remote, int Pid);
