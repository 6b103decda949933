namespace LatencyTuner.Core;

/// <summary>
/// An expected failure: the message is one sentence for the user, printed without a stack trace, and the process ends with
/// <see cref="Code"/>. Any other unhandled exception is a bug and is shown with its stack trace.
/// </summary>
public sealed class ExpectedFailureException : Exception
{
    /// <summary>Creates the failure.</summary>
    /// <param name="code">The published exit code.</param>
    /// <param name="message">One sentence that says where it failed, quotes the value, and says what would be valid.</param>
    public ExpectedFailureException(ExitCode code, string message)
        : base(message) => Code = code;

    /// <summary>Creates the failure with its cause.</summary>
    /// <param name="code">The published exit code.</param>
    /// <param name="message">One sentence for the user.</param>
    /// <param name="innerException">The exception that the platform reported.</param>
    public ExpectedFailureException(ExitCode code, string message, Exception innerException)
        : base(message, innerException) => Code = code;

    /// <summary>The option without which the command cannot work, for example <c>--token-file</c>; null for other failures.</summary>
    public string? Missing { get; init; }

    /// <summary>The exit code the process ends with.</summary>
    public ExitCode Code { get; }
}
