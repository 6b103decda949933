namespace LatencyTuner.Core.Etw.Sessions;

/// <summary>Says in a sentence why Windows refused a session (error codes of winerror.h as StartTrace and EnableTraceEx2 document them).</summary>
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

    /// <summary>ERROR_MORE_DATA: done, but the names did not fit.</summary>
    public const int MoreData = 234;

    /// <summary>ERROR_PRIVILEGE_NOT_HELD.</summary>
    public const int PrivilegeNotHeld = 1314;

    /// <summary>ERROR_NO_SYSTEM_RESOURCES.</summary>
    public const int NoSystemResources = 1450;

    /// <summary>ERROR_TIMEOUT.</summary>
    public const int TimedOut = 1460;

    /// <summary>ERROR_WMI_INSTANCE_NOT_FOUND: there is no session of that name.</summary>
    public const int NotFound = 4201;

    /// <summary>Why a session could not begin.</summary>
    /// <param name="error">The error code.</param>
    /// <param name="session">Its name.</param>
    /// <param name="file">The file it was to write; null for none.</param>
    public static ExpectedFailureException Starting(int error, string session, string? file = null) => new(ExitCode.Platform, error switch
    {
        AccessDenied or PrivilegeNotHeld =>
            $"Windows denied the trace session {session} although this process is elevated: "
            + $"{(file is null ? "" : $"{file} may not be written by SYSTEM, or ")}security software (EDR) or a policy keeps sessions to itself; its log "
            + "says which, and its administrator can exempt latencytuner.exe.",
        AlreadyExists => file is null
            ? $"A trace session {session} is there already, which can only be this process's own: 'logman stop {session} -ets' removes it."
            : $"Another trace session has the name {session} or writes {file} already: 'logman query -ets' lists the sessions, 'logman stop NAME -ets' "
                + "ends one.",
        SharingViolation => $"{file ?? session} is in use by another program.",
        DiskFull => $"The volume of {file ?? session} is full.",
        NoSystemResources =>
            "Windows has no trace session left: it allows 64 at a time (EtwMaxLoggers in HKLM\\SYSTEM\\CurrentControlSet\\Control\\WMI); 'logman query "
            + "-ets' lists them, and monitoring agents and EDR hold many.",
        _ => $"Windows refused the trace session {session}: {Code(error)}.",
    });

    /// <summary>Why a provider could not be enabled.</summary>
    /// <param name="error">The error code.</param>
    /// <param name="provider">Its name.</param>
    public static ExpectedFailureException Enabling(int error, string provider) => new(ExitCode.Platform, error switch
    {
        AccessDenied or PrivilegeNotHeld =>
            $"Windows denied {provider} although this process is elevated: security software (EDR) or the provider's access list keeps it to itself; "
            + $"'wevtutil gp {provider}' shows it to those who may.",
        NoSystemResources =>
            $"Eight sessions, all that Windows allows, have enabled {provider} already: 'logman query -ets' lists the sessions; end one (netsh trace, "
            + "wpr, an agent) and try again.",
        TimedOut => $"{provider} did not answer within ten seconds that it writes events.",
        _ => $"Windows refused to enable {provider}: {Code(error)}.",
    });

    private static string Code(int error) => $"error {error}";
}
