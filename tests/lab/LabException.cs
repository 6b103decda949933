namespace LatencyTuner.Lab;

/// <summary>The lab could not be built or used; the message is one sentence.</summary>
public sealed class LabException : Exception
{
    /// <summary>Creates the failure.</summary>
    /// <param name="message">One sentence that quotes what was tried and what the system answered.</param>
    public LabException(string message)
        : base(message)
    {
    }
}
