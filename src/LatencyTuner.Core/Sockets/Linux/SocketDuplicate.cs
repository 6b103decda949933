using System.Runtime.InteropServices;
using System.Runtime.Versioning;

namespace LatencyTuner.Core.Sockets.Linux;

/// <summary>
/// What a duplicate of a descriptor of another process tells (pidfd_getfd(2), getsockopt(2)). The duplicate lives for one call of <see cref="Read"/>: while
/// it exists, the close of its owner is not the last one and sends no FIN. The call allocates nothing, so that no garbage collection lengthens it.
/// </summary>
[SupportedOSPlatform("linux")]
internal unsafe struct SocketDuplicate
{
    /// <summary>Room for the name of a congestion control (TCP_CA_NAME_MAX).</summary>
    internal const int NameSize = 16;

    /// <summary>0 when it was read; otherwise the errno that says why not. <see cref="LinuxProcessNative.ErrnoBadDescriptor"/> when it is closed.</summary>
    internal int Failure;

    internal bool? NoDelay;

    internal bool? KeepAlive;

    /// <summary>Bits of <c>SOCK_SNDBUF_LOCK</c> and <c>SOCK_RCVBUF_LOCK</c>; null on kernels without SO_BUF_LOCK.</summary>
    internal int? BufferLock;

    internal int? SendBufferBytes;

    internal int? ReceiveBufferBytes;

    internal int InfoLength;

    internal int NameLength;

    internal fixed byte Info[LinuxTcpInfo.Size];

    internal fixed byte Name[NameSize];

    /// <summary>Reads the options of a socket of another process.</summary>
    /// <param name="process">A descriptor of the process (pidfd_open(2)).</param>
    /// <param name="descriptor">The number of the socket there.</param>
    /// <param name="cookie">The number that the socket must have, because a descriptor may be closed and given again; 0 when unknown.</param>
    /// <param name="whole">True to read what sock_diag would tell too: counters, buffers, congestion control.</param>
    internal static SocketDuplicate Read(int process, int descriptor, ulong cookie, bool whole)
    {
        SocketDuplicate read = default;
        int duplicate = LinuxProcessNative.Duplicate(process, descriptor);
        if (duplicate < 0)
        {
            read.Failure = Marshal.GetLastPInvokeError();
            return read;
        }

        try
        {
            ulong own = 0;
            uint length = sizeof(ulong);
            if (cookie != 0 && LinuxProcessNative.GetSocketOption(duplicate, LinuxNative.SolSocket, LinuxProcessNative.SoCookie, &own, &length) == 0
                && own != cookie)
            {
                read.Failure = LinuxProcessNative.ErrnoBadDescriptor;
                return read;
            }

            read.NoDelay = Option(duplicate, LinuxNative.IpProtoTcp, LinuxProcessNative.TcpNoDelay) is { } noDelay ? noDelay != 0 : null;
            read.KeepAlive = Option(duplicate, LinuxNative.SolSocket, LinuxProcessNative.SoKeepAlive) is { } keepAlive ? keepAlive != 0 : null;
            read.BufferLock = Option(duplicate, LinuxNative.SolSocket, LinuxProcessNative.SoBufferLock);
            if (whole)
            {
                read.ReadRest(duplicate);
            }

            return read;
        }
        finally
        {
            _ = LinuxProcessNative.Close(duplicate);
        }
    }

    private void ReadRest(int duplicate)
    {
        SendBufferBytes = Option(duplicate, LinuxNative.SolSocket, LinuxProcessNative.SoSendBuffer);
        ReceiveBufferBytes = Option(duplicate, LinuxNative.SolSocket, LinuxProcessNative.SoReceiveBuffer);
        fixed (byte* info = Info)
        fixed (byte* name = Name)
        {
            uint length = LinuxTcpInfo.Size;
            InfoLength = LinuxProcessNative.GetSocketOption(duplicate, LinuxNative.IpProtoTcp, LinuxNative.TcpInfo, info, &length) == 0
                ? (int)Math.Min(length, LinuxTcpInfo.Size) : 0;
            length = NameSize;
            NameLength = LinuxProcessNative.GetSocketOption(duplicate, LinuxNative.IpProtoTcp, LinuxProcessNative.TcpCongestion, name, &length) == 0
                ? (int)Math.Min(length, NameSize) : 0;
        }
    }

    private static int? Option(int socket, int level, int name)
    {
        int value = 0;
        uint length = sizeof(int);
        return LinuxProcessNative.GetSocketOption(socket, level, name, &value, &length) == 0 ? value : null;
    }
}
