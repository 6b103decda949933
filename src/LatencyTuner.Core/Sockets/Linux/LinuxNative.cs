using System.Runtime.InteropServices;
using System.Runtime.Versioning;

namespace LatencyTuner.Core.Sockets.Linux;

/// <summary>C library calls, with the constants of the generic Linux ABI.</summary>
[SupportedOSPlatform("linux")]
internal static unsafe partial class LinuxNative
{
    internal const int MsgNoSignal = 0x4000;
    internal const int IpProtoTcp = 6;
    internal const int TcpInfo = 11;
    internal const int TcpQuickAck = 12;
    internal const int TcpNotSentLowWater = 25;
    internal const int ProcessCpuClock = 2;
    internal const int SolSocket = 1;
    internal const int SoReceiveTimeout = 20;
    internal const int SoSendTimeout = 21;
    internal const int FcntlGetFlags = 3;
    internal const int FcntlSetFlags = 4;
    internal const int OpenNonBlocking = 0x800;
    internal const int PrSetTimerSlack = 29;
    internal const int PrGetTimerSlack = 30;
    internal const short PollIn = 1;
    internal const short PollOut = 4;
    internal const int ErrnoInterrupted = 4;
    internal const int ErrnoAgain = 11;
    internal const int ErrnoPipe = 32;
    internal const int ErrnoConnectionReset = 104;
    internal const int ErrnoNotConnected = 107;
    internal const int ErrnoTimedOut = 110;
    internal const int ErrnoNetworkUnreachable = 101;
    internal const int ErrnoConnectionRefused = 111;
    internal const int ErrnoHostUnreachable = 113;
    internal const int ErrnoInProgress = 115;

    // Without SetLastError, which would cost three more calls each time: the caller reads errno only after a failure.
    [LibraryImport("libc", EntryPoint = "send")]
    internal static partial nint Send(int socket, byte* buffer, nuint length, int flags);

    [LibraryImport("libc", EntryPoint = "recv")]
    internal static partial nint Receive(int socket, byte* buffer, nuint length, int flags);

    [LibraryImport("libc", EntryPoint = "connect")]
    internal static partial int Connect(int socket, byte* address, uint length);

    [LibraryImport("libc", EntryPoint = "setsockopt", SetLastError = true)]
    internal static partial int SetSocketOption(int socket, int level, int name, void* value, uint length);

    [LibraryImport("libc", EntryPoint = "fcntl", SetLastError = true)]
    internal static partial int Fcntl(int descriptor, int command, nint argument);

    [LibraryImport("libc", EntryPoint = "ppoll", SetLastError = true)]
    internal static partial int PPoll(PollDescriptor* descriptors, nuint count, TimeSpec* timeout, void* signalMask);

    [LibraryImport("libc", EntryPoint = "sched_setaffinity", SetLastError = true)]
    internal static partial int SetAffinity(int thread, nuint length, byte* mask);

    [LibraryImport("libc", EntryPoint = "prctl", SetLastError = true)]
    internal static partial int Prctl(int option, nuint value, nuint unused3, nuint unused4, nuint unused5);

    [LibraryImport("libc", EntryPoint = "clock_gettime", SetLastError = true)]
    internal static partial int GetClock(int clock, TimeSpec* time);

    [StructLayout(LayoutKind.Sequential)]
    internal struct PollDescriptor
    {
        internal int Descriptor;
        internal short Events;
        internal short Returned;
    }

    [StructLayout(LayoutKind.Sequential)]
    internal struct TimeSpec
    {
        internal long Seconds;
        internal long Nanoseconds;
    }
}
