namespace LatencyTuner.Core.Measurement.Protocol;

/// <summary>The peer violates the protocol. The message says where, and what was expected.</summary>
internal sealed class ProtocolException : Exception
{
    public ProtocolException(string message)
        : base(message)
    {
    }

    public ProtocolException(RefusalReason reason, string message)
        : base(message) => Reason = reason;

    /// <summary>The reason that a responder sends in its refusal.</summary>
    public RefusalReason Reason { get; } = RefusalReason.Protocol;
}
