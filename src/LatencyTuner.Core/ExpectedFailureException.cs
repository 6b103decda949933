namespace LatencyTuner.Core;

/// <summary>
/// A failure the user may meet: the message is one sentence for the user, printed without a stack, and the process ends with
/// <see cref="Code"/>. Anything else that escapes is a bug and is shown with its stack.
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
    /// <param name="innerException">What the platform reported.</param>
    public ExpectedFailureException(ExitCode code, string message, Exception innerException)
        : base(message, innerException) => Code = code;

    /// <summary>The exit code the process ends with.</summary>
    public ExitCode Code { get; }
}
