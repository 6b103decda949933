using System.Runtime.InteropServices;
using System.Runtime.Versioning;

namespace LatencyTuner.Core.Sockets.Windows;

/// <summary>
/// Calls that look at the sockets of other processes, with the constants of winternl.h, iphlpapi.h and the header of AFD in System Informer. None of
/// them sets anything: the transport is asked by getsockopt and SIO_TCP_INFO alone.
/// </summary>
[SupportedOSPlatform("windows")]
internal static unsafe partial class AfdNative
{
    internal const uint ProcessDuplicateHandle = 0x0040;
    internal const uint ProcessQueryInformation = 0x0400;
    internal const uint ProcessQueryLimitedInformation = 0x1000;
    internal const uint DuplicateSameAccess = 0x2;
    internal const int ErrorAccessDenied = 5;
    internal const int ErrorInsufficientBuffer = 122;
    internal const int ProcessHandleInformation = 51;
    internal const int ProcessProtectionInformation = 61;
    internal const int FileVolumeNameInformation = 58;
    internal const uint StatusPending = 0x103;
    internal const uint StatusBufferOverflow = 0x8000_0005;
    internal const uint StatusInfoLengthMismatch = 0xC000_0004;
    internal const uint FamilyIPv4 = 2;
    internal const uint FamilyIPv6 = 23;

    /// <summary>TCP_TABLE_OWNER_MODULE_ALL of TCP_TABLE_CLASS.</summary>
    internal const int OwnerModuleAll = 8;

    [LibraryImport("kernel32", EntryPoint = "OpenProcess", SetLastError = true)]
    internal static partial nint OpenProcess(uint access, int inherit, uint pid);

    [LibraryImport("kernel32", EntryPoint = "DuplicateHandle", SetLastError = true)]
    internal static partial int DuplicateHandle(nint source, nint handle, nint target, nint* duplicate, uint access, int inherit, uint options);

    [LibraryImport("kernel32", EntryPoint = "CloseHandle")]
    internal static partial int CloseHandle(nint handle);

    [LibraryImport("kernel32", EntryPoint = "CreateEventW", SetLastError = true)]
    internal static partial nint CreateEvent(void* security, int manual, int signalled, char* name);

    [LibraryImport("kernel32", EntryPoint = "WaitForSingleObject")]
    internal static partial uint Wait(nint handle, uint timeoutMs);

    [LibraryImport("kernel32", EntryPoint = "QueryFullProcessImageNameW", SetLastError = true)]
    internal static partial int QueryImageName(nint process, uint flags, char* name, uint* length);

    [LibraryImport("ntdll", EntryPoint = "NtQueryInformationProcess")]
    internal static partial uint QueryProcess(nint process, int kind, void* information, uint length, uint* needed);

    [LibraryImport("ntdll", EntryPoint = "NtQueryInformationFile")]
    internal static partial uint QueryFile(nint file, IoStatus* status, void* information, uint length, int kind);

    /// <summary>NtDeviceIoControlFile. The routine and the context are null always: with a context, a packet goes into the owner's completion port.</summary>
    [LibraryImport("ntdll", EntryPoint = "NtDeviceIoControlFile")]
    internal static partial uint Control(
        nint file, nint done, void* routine, void* context, IoStatus* status, uint code, void* input, uint inputLength, void* output, uint outputLength);

    [LibraryImport("ntdll", EntryPoint = "NtCancelIoFileEx")]
    internal static partial uint Cancel(nint file, IoStatus* request, IoStatus* status);

    [LibraryImport("iphlpapi", EntryPoint = "GetExtendedTcpTable")]
    internal static partial uint GetTcpTable(void* table, uint* size, int sorted, uint family, int kind, uint reserved);

    /// <summary>IO_STATUS_BLOCK.</summary>
    [StructLayout(LayoutKind.Sequential)]
    internal struct IoStatus
    {
        internal nint Status;
        internal nuint Information;
    }
}
