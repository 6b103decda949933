namespace LatencyTuner.Core.Measurement.Protocol;

/// <summary>The peer does not keep to the protocol. The message says where and what was expected.</summary>
internal sealed class ProtocolException : Exception
{
    public ProtocolException(string message)
        : base(message)
    {
    }

    public ProtocolException(RefusalReason reason, string message)
        : base(message) => Reason = reason;

    /// <summary>What the responder answers with.</summary>
    public RefusalReason Reason { get; } = RefusalReason.Protocol;
}
