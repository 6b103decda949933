using System.Runtime.InteropServices;
using System.Runtime.Versioning;

namespace LatencyTuner.Windows;

/// <summary>Switches the escape sequences of the console on, and restores the old mode at the end.</summary>
[SupportedOSPlatform("windows")]
internal static class ConsoleEscapes
{
    private const int StandardOutput = -11;
    private const uint VirtualTerminalProcessing = 0x0004;

    /// <summary>False when the output is not a console, or is a console from before Windows 10 1511.</summary>
    public static bool TryEnable()
    {
        nint output = GetStdHandle(StandardOutput);
        if (!GetConsoleMode(output, out uint mode))
        {
            return false;
        }

        if ((mode & VirtualTerminalProcessing) != 0)
        {
            return true;
        }

        if (!SetConsoleMode(output, mode | VirtualTerminalProcessing))
        {
            return false;
        }

        // The mode belongs to the window and would stay for the next programs.
        AppDomain.CurrentDomain.ProcessExit += (_, _) => SetConsoleMode(output, mode);
        return true;
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
