namespace LatencyTuner.Core.Etw.Sessions;

/// <summary>Explains why Windows refused a session (error codes of winerror.h as documented for StartTrace and EnableTraceEx2).</summary>
public static class SessionFailure
{
    /// <summary>ERROR_ACCESS_DENIED.</summary>
    public const int AccessDenied = 5;

    /// <summary>ERROR_SHARING_VIOLATION.</summary>
    public const int SharingViolation = 32;

    /// <summary>ERROR_DISK_FULL.</summary>
    public const int DiskFull = 112;

    /// <summary>ERROR_ALREADY_EXISTS.</summary>
    public const int AlreadyExists = 183;

    /// <summary>ERROR_MORE_DATA: the call succeeded, but the names did not fit.</summary>
    public const int MoreData = 234;

    /// <summary>ERROR_PRIVILEGE_NOT_HELD.</summary>
    public const int PrivilegeNotHeld = 1314;

    /// <summary>ERROR_NO_SYSTEM_RESOURCES.</summary>
    public const int NoSystemResources = 1450;

    /// <summary>ERROR_TIMEOUT.</summary>
    public const int TimedOut = 1460;

    /// <summary>ERROR_WMI_INSTANCE_NOT_FOUND: there is no session of that name.</summary>
    public const int NotFound = 4201;

    /// <summary>Explains why a session could not start.</summary>
    /// <param name="error">The error code.</param>
    /// <param name="session">Name of the session.</param>
    /// <param name="file">The file that the session should write; null for none.</param>
    public static ExpectedFailureException Starting(int error, string session, string? file = null) => new(ExitCode.Platform, error switch
    {
        AccessDenied or PrivilegeNotHeld =>
            $"Windows denied the trace session {session} although this process is elevated. "
            + $"Possible causes: {(file is null ? "" : $"the SYSTEM account may not write {file}, ")}security software (EDR), or a policy. "
            + "Check the log of the security software. Its administrator can exempt latencytuner.exe.",
        AlreadyExists => file is null
            ? $"The trace session {session} already exists. Only this process can have started it: 'logman stop {session} -ets' stops it."
            : $"Another trace session already has the name {session} or writes {file}. 'logman query -ets' lists the sessions. "
                + "'logman stop NAME -ets' stops one.",
        SharingViolation => $"{file ?? session} is in use by another program.",
        DiskFull => $"The volume of {file ?? session} is full.",
        NoSystemResources =>
            "Windows has no free trace session, or not enough non-paged memory for its buffers. It allows 64 at a time (EtwMaxLoggers in "
            + "HKLM\\SYSTEM\\CurrentControlSet\\Control\\WMI): 'logman query -ets' lists them; monitoring agents and EDR use many. Task Manager shows the "
            + "non-paged pool under Performance, Memory.",
        _ => $"Windows refused the trace session {session}: {Code(error)}.",
    });

    /// <summary>Explains why a provider could not be enabled.</summary>
    /// <param name="error">The error code.</param>
    /// <param name="provider">Name of the provider.</param>
    public static ExpectedFailureException Enabling(int error, string provider) => new(ExitCode.Platform, error switch
    {
        AccessDenied or PrivilegeNotHeld =>
            $"Windows denied {provider} although this process is elevated. Possible causes: security software (EDR), or the access list of the "
            + $"provider. 'wevtutil gp {provider}' shows the provider if you have access.",
        NoSystemResources =>
            $"Eight sessions, the most that Windows allows, have already enabled {provider}. 'logman query -ets' lists the sessions. "
            + "Stop one (netsh trace, wpr, an agent) and try again.",
        TimedOut => $"{provider} did not confirm within 10 s that it writes events.",
        _ => $"Windows refused to enable {provider}: {Code(error)}.",
    });

    private static string Code(int error) => $"error {error}";
}
