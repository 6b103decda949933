using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using Microsoft.Win32.SafeHandles;

namespace LatencyTuner.Windows;

/// <summary>Registry calls of advapi32, with the constants of winnt.h, winreg.h and winerror.h. Reading only.</summary>
[SupportedOSPlatform("windows")]
internal static class WindowsRegistryNative
{
    internal const uint KeyQueryValue = 0x0001;
    internal const uint KeyEnumerateSubKeys = 0x0008;
    internal const uint KeyWow6464Key = 0x0100;

    internal const int ErrorFileNotFound = 2;
    internal const int ErrorPathNotFound = 3;
    internal const int ErrorAccessDenied = 5;
    internal const int ErrorMoreData = 234;
    internal const int ErrorNoMoreItems = 259;
    internal const int ErrorKeyDeleted = 1018;

    internal static readonly nint LocalMachine = unchecked((int)0x8000_0002);

    // The marshaller that generates code needs unsafe blocks, which this project does without; all of these have the plainest of types.
    [DllImport("advapi32", EntryPoint = "RegOpenKeyExW", CharSet = CharSet.Unicode, ExactSpelling = true)]
    internal static extern int OpenKey(nint parent, string name, uint options, uint access, out SafeRegistryHandle key);

    [DllImport("advapi32", EntryPoint = "RegQueryValueExW", CharSet = CharSet.Unicode, ExactSpelling = true)]
    internal static extern int QueryValue(SafeRegistryHandle key, string name, nint reserved, out int type, [Out] byte[] data, ref uint length);

    [DllImport("advapi32", EntryPoint = "RegEnumKeyExW", CharSet = CharSet.Unicode, ExactSpelling = true)]
    internal static extern int EnumerateKey(SafeRegistryHandle key, uint index, [Out] char[] name, ref uint length, nint reserved, nint className, nint classLength, nint lastWrite);
}
