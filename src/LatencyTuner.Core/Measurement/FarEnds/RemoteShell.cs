namespace LatencyTuner.Core.Measurement.FarEnds;

/// <summary>The shell that takes the command line at the far end: it decides how a path is quoted.</summary>
public enum RemoteShell
{
    /// <summary>A shell of Unix.</summary>
    Sh,

    /// <summary>cmd.exe, the shell of Windows' sshd unless its DefaultShell says otherwise.</summary>
    Cmd,

    /// <summary>Windows PowerShell or PowerShell.</summary>
    PowerShell,
}
