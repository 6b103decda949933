namespace LatencyTuner.Core;

/// <summary>The process exit codes, published by <c>latencytuner exit-codes</c>. Scripts depend on the numbers.</summary>
public enum ExitCode
{
    /// <summary>The work is done, or the gate passed.</summary>
    Done = 0,

    /// <summary>A finding at or above <c>--fail-on</c>, or a threshold the user gave was passed.</summary>
    Finding = 1,

    /// <summary>The command line is not usable.</summary>
    Usage = 2,

    /// <summary>An input file is unreadable or corrupt.</summary>
    Input = 3,

    /// <summary>The platform cannot do it, or the process lacks the privilege.</summary>
    Platform = 4,

    /// <summary>The measurement failed: peer unreachable, refused, authentication, protocol.</summary>
    Measurement = 5,

    /// <summary>A change was not applied or not verified.</summary>
    Change = 6,

    /// <summary>Too little evidence for a verdict.</summary>
    CannotTell = 7,

    /// <summary>A bug in this program.</summary>
    Bug = 70,

    /// <summary>Cancelled by Ctrl-C or SIGTERM.</summary>
    Cancelled = 130,
}
