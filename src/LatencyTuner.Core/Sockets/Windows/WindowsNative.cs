using System.Runtime.InteropServices;
using System.Runtime.Versioning;

namespace LatencyTuner.Core.Sockets.Windows;

/// <summary>Winsock, kernel32, iphlpapi and winmm calls, with the constants of winsock2.h and mstcpip.h.</summary>
[SupportedOSPlatform("windows")]
internal static unsafe partial class WindowsNative
{
    /// <summary>SIO_TCP_SET_ACK_FREQUENCY, mstcpip.h; no query form is known.</summary>
    internal const int SioTcpSetAckFrequency = unchecked((int)0x98000017);

    /// <summary>SIO_TCP_INFO, mstcpip.h: version 0 from Windows 10 1703 (build 15063) on, version 1 from 1809 and Server 2019 on.</summary>
    internal const int SioTcpInfo = unchecked((int)0xD8000027);

    /// <summary>CREATE_WAITABLE_TIMER_HIGH_RESOLUTION, synchapi.h.</summary>
    internal const uint HighResolutionTimer = 0x0000_0002;

    internal const uint TimerModifyState = 0x0000_0002;
    internal const uint Synchronize = 0x0010_0000;
    internal const uint Infinite = uint.MaxValue;

    /// <summary>ProcessPowerThrottling of PROCESS_INFORMATION_CLASS, processthreadsapi.h.</summary>
    internal const int ProcessPowerThrottling = 4;

    /// <summary>PROCESS_POWER_THROTTLING_IGNORE_TIMER_RESOLUTION, processthreadsapi.h: Windows 11.</summary>
    internal const uint IgnoreTimerResolution = 0x4;

    internal const short PollReadNormal = 0x0100;
    internal const short PollWriteNormal = 0x0010;

    [LibraryImport("ws2_32", EntryPoint = "send", SetLastError = true)]
    internal static partial int Send(nint socket, byte* buffer, int length, int flags);

    [LibraryImport("ws2_32", EntryPoint = "recv", SetLastError = true)]
    internal static partial int Receive(nint socket, byte* buffer, int length, int flags);

    [LibraryImport("ws2_32", EntryPoint = "connect", SetLastError = true)]
    internal static partial int Connect(nint socket, byte* address, int length);

    [LibraryImport("ws2_32", EntryPoint = "WSAPoll", SetLastError = true)]
    internal static partial int Poll(PollDescriptor* descriptors, uint count, int timeoutMs);

    [LibraryImport("ws2_32", EntryPoint = "select", SetLastError = true)]
    internal static partial int Select(int ignored, void* read, void* write, void* failed, void* time);

    [LibraryImport("kernel32", EntryPoint = "GetCurrentThread")]
    internal static partial nint GetCurrentThread();

    [LibraryImport("kernel32", EntryPoint = "SetThreadGroupAffinity", SetLastError = true)]
    internal static partial int SetThreadGroupAffinity(nint thread, GroupAffinity* affinity, GroupAffinity* previous);

    [LibraryImport("kernel32", EntryPoint = "GetActiveProcessorGroupCount")]
    internal static partial ushort GetProcessorGroupCount();

    [LibraryImport("kernel32", EntryPoint = "GetActiveProcessorCount", SetLastError = true)]
    internal static partial uint GetProcessorCount(ushort group);

    [LibraryImport("kernel32", EntryPoint = "CreateWaitableTimerExW", SetLastError = true)]
    internal static partial nint CreateWaitableTimer(void* attributes, void* name, uint flags, uint access);

    [LibraryImport("kernel32", EntryPoint = "SetWaitableTimer", SetLastError = true)]
    internal static partial int SetWaitableTimer(nint timer, long* due, int periodMs, void* routine, void* argument, int resume);

    [LibraryImport("kernel32", EntryPoint = "WaitForSingleObject", SetLastError = true)]
    internal static partial uint WaitForSingleObject(nint handle, uint timeoutMs);

    [LibraryImport("kernel32", EntryPoint = "CancelIoEx", SetLastError = true)]
    internal static partial int CancelIo(nint handle, void* overlapped);

    [LibraryImport("kernel32", EntryPoint = "GetSystemTimes", SetLastError = true)]
    internal static partial int GetSystemTimes(long* idle, long* kernel, long* user);

    [LibraryImport("kernel32", EntryPoint = "GetProcessTimes", SetLastError = true)]
    internal static partial int GetProcessTimes(nint process, long* created, long* exited, long* kernel, long* user);

    [LibraryImport("kernel32", EntryPoint = "SetProcessInformation", SetLastError = true)]
    internal static partial int SetProcessInformation(nint process, int information, void* value, uint size);

    [LibraryImport("iphlpapi", EntryPoint = "IcmpCreateFile", SetLastError = true)]
    internal static partial nint IcmpCreateFile();

    [LibraryImport("iphlpapi", EntryPoint = "Icmp6CreateFile", SetLastError = true)]
    internal static partial nint Icmp6CreateFile();

    [LibraryImport("iphlpapi", EntryPoint = "IcmpCloseHandle", SetLastError = true)]
    internal static partial int IcmpCloseHandle(nint handle);

    [LibraryImport("iphlpapi", EntryPoint = "IcmpSendEcho2", SetLastError = true)]
    internal static partial uint IcmpSendEcho(
        nint handle, nint done, void* routine, void* argument, uint to, void* data, ushort length, void* options, void* reply, uint replyLength,
        uint timeoutMs);

    [LibraryImport("iphlpapi", EntryPoint = "Icmp6SendEcho2", SetLastError = true)]
    internal static partial uint Icmp6SendEcho(
        nint handle, nint done, void* routine, void* argument, void* from, void* to, void* data, ushort length, void* options, void* reply,
        uint replyLength, uint timeoutMs);

    [LibraryImport("iphlpapi", EntryPoint = "IcmpParseReplies", SetLastError = true)]
    internal static partial uint IcmpParseReplies(void* reply, uint length);

    [LibraryImport("iphlpapi", EntryPoint = "Icmp6ParseReplies", SetLastError = true)]
    internal static partial uint Icmp6ParseReplies(void* reply, uint length);

    [LibraryImport("winmm", EntryPoint = "timeBeginPeriod")]
    internal static partial uint TimeBeginPeriod(uint milliseconds);

    [LibraryImport("winmm", EntryPoint = "timeEndPeriod")]
    internal static partial uint TimeEndPeriod(uint milliseconds);

    /// <summary>NtQueryTimerResolution: in no header of Microsoft's, and unchanged since Windows NT.</summary>
    [LibraryImport("ntdll", EntryPoint = "NtQueryTimerResolution")]
    internal static partial int QueryTimerResolution(uint* coarsest, uint* finest, uint* current);

    /// <summary>PROCESS_POWER_THROTTLING_STATE, processthreadsapi.h: what is in the control mask and not in the state is switched off.</summary>
    [StructLayout(LayoutKind.Sequential)]
    internal struct PowerThrottling
    {
        internal uint Version;
        internal uint ControlMask;
        internal uint StateMask;
    }

    [StructLayout(LayoutKind.Sequential)]
    internal struct PollDescriptor
    {
        internal nint Socket;
        internal short Events;
        internal short Returned;
    }

    [StructLayout(LayoutKind.Sequential)]
    internal struct GroupAffinity
    {
        internal nuint Mask;
        internal ushort Group;
        internal ushort Reserved1;
        internal ushort Reserved2;
        internal ushort Reserved3;
    }
}
