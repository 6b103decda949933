namespace LatencyTuner.Hosting;

/// <summary>Whether a console of Windows takes escape sequences. Each of stdout and stderr has a mode of its own, and either may not be a console.</summary>
internal static class EscapeSequences
{
    /// <summary>STD_OUTPUT_HANDLE and STD_ERROR_HANDLE, winbase.h.</summary>
    internal const int StandardOutput = -11;
    internal const int StandardError = -12;

    /// <summary>ENABLE_VIRTUAL_TERMINAL_PROCESSING, consoleapi.h.</summary>
    internal const uint VirtualTerminalProcessing = 0x0004;

    /// <summary>Switches them on where they are off.</summary>
    /// <param name="read">Reads the mode of the stream; null when it is not a console.</param>
    /// <param name="write">Sets the mode; false when the console refuses, as those from before Windows 10 1511 and legacy ones do.</param>
    /// <param name="atExit">Takes what is to be done at the end of the process: the mode belongs to the window and would stay for the next programs.</param>
    /// <returns>True when the stream takes them.</returns>
    internal static bool TryEnable(Func<uint?> read, Func<uint, bool> write, Action<Action> atExit)
    {
        if (read() is not { } mode)
        {
            return false;
        }

        if ((mode & VirtualTerminalProcessing) != 0)
        {
            return true;
        }

        if (!write(mode | VirtualTerminalProcessing))
        {
            return false;
        }

        atExit(() => write(mode));
        return true;
    }
}
