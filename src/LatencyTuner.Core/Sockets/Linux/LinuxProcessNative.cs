using System.Runtime.InteropServices;
using System.Runtime.Versioning;

namespace LatencyTuner.Core.Sockets.Linux;

/// <summary>C library calls that look at sockets of other processes, with the constants of the generic Linux ABI. None of them sets anything.</summary>
[SupportedOSPlatform("linux")]
internal static unsafe partial class LinuxProcessNative
{
    /// <summary>pidfd_open(2), Linux 5.3; the same number on every architecture that .NET runs on.</summary>
    private const long PidFdOpen = 434;

    /// <summary>pidfd_getfd(2), Linux 5.6.</summary>
    private const long PidFdGetFd = 438;

    internal const int FamilyNetlink = 16;
    internal const int FamilyIPv4 = 2;
    internal const int FamilyIPv6 = 10;
    internal const int SocketRaw = 3;
    internal const int CloseOnExec = 0x80000;
    internal const int NetlinkSockDiag = 4;
    internal const int NewNetworkNamespace = 0x4000_0000;
    internal const int TcpNoDelay = 1;
    internal const int TcpCongestion = 13;
    internal const int SoSendBuffer = 7;
    internal const int SoReceiveBuffer = 8;
    internal const int SoKeepAlive = 9;
    internal const int SoCookie = 57;

    /// <summary>SO_BUF_LOCK, Linux 5.14.</summary>
    internal const int SoBufferLock = 72;

    internal const int SendBufferLock = 1;
    internal const int ReceiveBufferLock = 2;
    internal const int ErrnoNotPermitted = 1;
    internal const int ErrnoNoProcess = 3;
    internal const int ErrnoBadDescriptor = 9;
    internal const int ErrnoAccess = 13;
    internal const int ErrnoNotSupported = 38;
    internal const int ErrnoTooManyFiles = 24;

    [LibraryImport("libc", EntryPoint = "syscall", SetLastError = true)]
    private static partial nint SystemCall(nint number, nint first, nint second, nint third);

    [LibraryImport("libc", EntryPoint = "getsockopt", SetLastError = true)]
    internal static partial int GetSocketOption(int socket, int level, int name, void* value, uint* length);

    [LibraryImport("libc", EntryPoint = "close", SetLastError = true)]
    internal static partial int Close(int descriptor);

    [LibraryImport("libc", EntryPoint = "socket", SetLastError = true)]
    internal static partial int Socket(int family, int type, int protocol);

    [LibraryImport("libc", EntryPoint = "send", SetLastError = true)]
    internal static partial nint Send(int socket, byte* buffer, nuint length, int flags);

    [LibraryImport("libc", EntryPoint = "recv", SetLastError = true)]
    internal static partial nint Receive(int socket, byte* buffer, nuint length, int flags);

    [LibraryImport("libc", EntryPoint = "setns", SetLastError = true)]
    internal static partial int SetNamespace(int descriptor, int kind);

    [LibraryImport("libc", EntryPoint = "readlink", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    internal static partial nint ReadLink(string path, byte* buffer, nuint length);

    [LibraryImport("libc", EntryPoint = "open", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    internal static partial int Open(string path, int flags);

    [LibraryImport("libc", EntryPoint = "geteuid")]
    internal static partial uint EffectiveUser();

    /// <summary>A descriptor of a process; negative with errno.</summary>
    internal static int OpenProcess(int pid) => (int)SystemCall((nint)PidFdOpen, pid, 0, 0);

    /// <summary>A duplicate of a descriptor of that process; negative with errno.</summary>
    internal static int Duplicate(int process, int descriptor) => (int)SystemCall((nint)PidFdGetFd, process, descriptor, 0);
}
