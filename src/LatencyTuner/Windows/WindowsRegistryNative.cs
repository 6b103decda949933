using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using Microsoft.Win32.SafeHandles;

namespace LatencyTuner.Windows;

/// <summary>Registry calls of advapi32, with the constants of winnt.h, winreg.h and winerror.h.</summary>
[SupportedOSPlatform("windows")]
internal static class WindowsRegistryNative
{
    internal const uint KeyQueryValue = 0x0001;

    /// <summary>KEY_SET_VALUE to write, and KEY_QUERY_VALUE, which RegFlushKey asks for.</summary>
    internal const uint KeyWrittenAndFlushed = KeyQueryValue | 0x0002;

    internal const uint KeyEnumerateSubKeys = 0x0008;
    internal const uint KeyWow6464Key = 0x0100;

    internal const int ErrorFileNotFound = 2;
    internal const int ErrorPathNotFound = 3;
    internal const int ErrorAccessDenied = 5;
    internal const int ErrorMoreData = 234;
    internal const int ErrorNoMoreItems = 259;
    internal const int ErrorKeyDeleted = 1018;

    internal const int CreatedNewKey = 1;

    internal static readonly nint LocalMachine = unchecked((int)0x8000_0002);

    // DllImport: the generated marshalling of LibraryImport needs unsafe blocks, which this project does not allow; these calls have only simple types.
    [DllImport("advapi32", EntryPoint = "RegOpenKeyExW", CharSet = CharSet.Unicode, ExactSpelling = true)]
    internal static extern int OpenKey(nint parent, string name, uint options, uint access, out SafeRegistryHandle key);

    [DllImport("advapi32", EntryPoint = "RegQueryValueExW", CharSet = CharSet.Unicode, ExactSpelling = true)]
    internal static extern int QueryValue(SafeRegistryHandle key, string name, nint reserved, out int type, [Out] byte[] data, ref uint length);

    [DllImport("advapi32", EntryPoint = "RegEnumKeyExW", CharSet = CharSet.Unicode, ExactSpelling = true)]
    internal static extern int EnumerateKey(
        SafeRegistryHandle key, uint index, [Out] char[] name, ref uint length, nint reserved, nint className, nint classLength, nint lastWrite);

    [DllImport("advapi32", EntryPoint = "RegCreateKeyExW", CharSet = CharSet.Unicode, ExactSpelling = true)]
    internal static extern int CreateKey(
        nint parent, string name, int reserved, string? className, uint options, uint access, nint security, out SafeRegistryHandle key, out int disposition);

    [DllImport("advapi32", EntryPoint = "RegSetValueExW", CharSet = CharSet.Unicode, ExactSpelling = true)]
    internal static extern int SetValue(SafeRegistryHandle key, string name, int reserved, int type, byte[] data, int length);

    [DllImport("advapi32", EntryPoint = "RegDeleteValueW", CharSet = CharSet.Unicode, ExactSpelling = true)]
    internal static extern int DeleteValue(SafeRegistryHandle key, string name);

    [DllImport("advapi32", EntryPoint = "RegDeleteKeyExW", CharSet = CharSet.Unicode, ExactSpelling = true)]
    internal static extern int DeleteKey(nint parent, string name, uint view, int reserved);

    [DllImport("advapi32", EntryPoint = "RegFlushKey", ExactSpelling = true)]
    internal static extern int FlushKey(SafeRegistryHandle key);

    [DllImport("advapi32", EntryPoint = "RegQueryInfoKeyW", CharSet = CharSet.Unicode, ExactSpelling = true)]
    internal static extern int QueryInfo(
        SafeRegistryHandle key, nint className, nint classLength, nint reserved, out uint subKeys, nint longestSubKey, nint longestClass, out uint values,
        nint longestName, nint longestData, nint security, nint lastWrite);
}
