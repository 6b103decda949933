using System.Runtime.InteropServices;
using System.Runtime.Versioning;

namespace LatencyTuner.Windows;

/// <summary>SeDebugPrivilege: an elevated administrator has it, switched off. With it, processes of other users can be opened (winbase.h).</summary>
[SupportedOSPlatform("windows")]
internal static class DebugPrivilege
{
    private const uint AdjustPrivileges = 0x20;
    private const uint Query = 0x8;
    private const uint Enabled = 0x2;
    private const int NotAllAssigned = 1300;

    /// <summary>Switches it on for this process, until it ends.</summary>
    /// <returns>False when this process does not have it.</returns>
    public static bool TryEnable()
    {
        if (!OpenToken(-1, AdjustPrivileges | Query, out nint token))
        {
            return false;
        }

        try
        {
            TokenPrivilege privilege = new() { Count = 1, Attributes = Enabled };
            return LookUp(null, "SeDebugPrivilege", out privilege.Id) && Adjust(token, false, ref privilege, 0, 0, 0)
                && Marshal.GetLastPInvokeError() != NotAllAssigned;
        }
        finally
        {
            _ = CloseHandle(token);
        }
    }

    /// <summary>TOKEN_PRIVILEGES with one entry: no padding, the identifier is two numbers of 32 bits.</summary>
    [StructLayout(LayoutKind.Sequential, Pack = 4)]
    internal struct TokenPrivilege
    {
        internal uint Count;
        internal long Id;
        internal uint Attributes;
    }

    [DllImport("advapi32", EntryPoint = "OpenProcessToken", ExactSpelling = true, SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    private static extern bool OpenToken(nint process, uint access, out nint token);

    [DllImport("advapi32", EntryPoint = "LookupPrivilegeValueW", CharSet = CharSet.Unicode, ExactSpelling = true, SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    private static extern bool LookUp(string? system, string name, out long id);

    [DllImport("advapi32", EntryPoint = "AdjustTokenPrivileges", ExactSpelling = true, SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    private static extern bool Adjust(
        nint token, [MarshalAs(UnmanagedType.Bool)] bool disableAll, ref TokenPrivilege state, uint length, nint before, nint needed);

    [DllImport("kernel32", EntryPoint = "CloseHandle", ExactSpelling = true, SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    private static extern bool CloseHandle(nint handle);
}
