using LatencyTuner.Core.Measurement.Probes;

namespace LatencyTuner.Core.Measurement;

/// <summary>The peer could not be measured; the message is a sentence for the user. Mapped to exit code 5.</summary>
internal sealed class PeerFailureException : Exception
{
    public PeerFailureException(string message)
        : base(message)
    {
    }

    public PeerFailureException(string message, Exception innerException)
        : base(message, innerException)
    {
    }

    /// <summary>The kind of failure, where it was looked at.</summary>
    public ProbeFailure Reason { get; init; }
}
