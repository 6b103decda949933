using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using LatencyTuner.Hosting;

namespace LatencyTuner.Windows;

/// <summary>The modes of this process's console.</summary>
[SupportedOSPlatform("windows")]
internal static class ConsoleEscapes
{
    /// <summary>Switches escape sequences on for one of the streams, until the end of the process; false where that is not possible.</summary>
    public static bool TryEnable(int which)
    {
        nint stream = GetStdHandle(which);
        return EscapeSequences.TryEnable(
            () => GetConsoleMode(stream, out uint mode) ? mode : null,
            mode => SetConsoleMode(stream, mode),
            restore => AppDomain.CurrentDomain.ProcessExit += (_, _) => restore());
    }

    [DllImport("kernel32", SetLastError = true)]
    private static extern nint GetStdHandle(int which);

    [DllImport("kernel32", SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    private static extern bool GetConsoleMode(nint console, out uint mode);

    [DllImport("kernel32", SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    private static extern bool SetConsoleMode(nint console, uint mode);
}
