using System.Runtime.InteropServices;
using System.Runtime.Versioning;

namespace LatencyTuner.Windows;

/// <summary>Event Log calls of advapi32, with the constants of winnt.h.</summary>
[SupportedOSPlatform("windows")]
internal static class WindowsEventLogNative
{
    internal const ushort Error = 0x0001;
    internal const ushort Warning = 0x0002;
    internal const ushort Information = 0x0004;

    [DllImport("advapi32", EntryPoint = "RegisterEventSourceW", CharSet = CharSet.Unicode, ExactSpelling = true, SetLastError = true)]
    internal static extern nint Register(string? server, string source);

    [DllImport("advapi32", EntryPoint = "ReportEventW", CharSet = CharSet.Unicode, ExactSpelling = true, SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    internal static extern bool Report(
        nint log, ushort type, ushort category, uint id, nint user, ushort texts, uint bytes,
        [MarshalAs(UnmanagedType.LPArray, ArraySubType = UnmanagedType.LPWStr)] string[] text, nint data);

    [DllImport("advapi32", EntryPoint = "DeregisterEventSource", ExactSpelling = true, SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    internal static extern bool Deregister(nint log);
}
