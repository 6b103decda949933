using System.Runtime.InteropServices;
using System.Runtime.Versioning;

namespace LatencyTuner.Windows;

/// <summary>The running services of each process: EnumServicesStatusEx, which any user may call (winsvc.h).</summary>
[SupportedOSPlatform("windows")]
internal static class RunningServices
{
    private const uint Connect = 0x1;
    private const uint Enumerate = 0x4;
    private const int ProcessInfo = 0;
    private const uint Win32Services = 0x30;
    private const uint Active = 1;
    private const int MoreData = 234;

    /// <summary>Size of ENUM_SERVICE_STATUS_PROCESSW on 64-bit systems: two names, then nine numbers of 32 bits and their padding.</summary>
    internal const int EntrySize = 56;

    /// <summary>Offset of dwProcessId: behind the two names, type, state, controls, two exit codes, checkpoint and hint.</summary>
    internal const int PidOffset = 44;

    /// <summary>The names of the services by process id; empty when the service control manager does not answer.</summary>
    public static IReadOnlyDictionary<int, IReadOnlyList<string>> ByProcess()
    {
        nint manager = OpenManager(null, null, Connect | Enumerate);
        if (manager == 0)
        {
            return new Dictionary<int, IReadOnlyList<string>>();
        }

        try
        {
            uint resume = 0;
            _ = EnumServices(manager, ProcessInfo, Win32Services, Active, 0, 0, out uint needed, out _, ref resume, null);
            if (Marshal.GetLastPInvokeError() != MoreData || needed == 0)
            {
                return new Dictionary<int, IReadOnlyList<string>>();
            }

            // Some services may start meanwhile.
            uint size = needed + (16 * 1024);
            nint buffer = Marshal.AllocHGlobal((int)size);
            try
            {
                resume = 0;
                return EnumServices(manager, ProcessInfo, Win32Services, Active, buffer, size, out _, out uint count, ref resume, null)
                    ? Read(buffer, (int)count) : new Dictionary<int, IReadOnlyList<string>>();
            }
            finally
            {
                Marshal.FreeHGlobal(buffer);
            }
        }
        finally
        {
            _ = Close(manager);
        }
    }

    private static Dictionary<int, IReadOnlyList<string>> Read(nint buffer, int count) => Enumerable.Range(0, count)
        .Select(i => (Name: Marshal.PtrToStringUni(Marshal.ReadIntPtr(buffer, i * EntrySize)), Pid: Marshal.ReadInt32(buffer, (i * EntrySize) + PidOffset)))
        .Where(s => s.Pid != 0 && s.Name is not null).GroupBy(s => s.Pid)
        .ToDictionary(g => g.Key, g => (IReadOnlyList<string>)[.. g.Select(s => s.Name!).Order(StringComparer.OrdinalIgnoreCase)]);

    [DllImport("advapi32", EntryPoint = "OpenSCManagerW", CharSet = CharSet.Unicode, ExactSpelling = true, SetLastError = true)]
    private static extern nint OpenManager(string? machine, string? database, uint access);

    [DllImport("advapi32", EntryPoint = "EnumServicesStatusExW", CharSet = CharSet.Unicode, ExactSpelling = true, SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    private static extern bool EnumServices(
        nint manager, int level, uint type, uint state, nint services, uint size, out uint needed, out uint returned, ref uint resume, string? group);

    [DllImport("advapi32", EntryPoint = "CloseServiceHandle", ExactSpelling = true, SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    private static extern bool Close(nint handle);
}
