namespace LatencyTuner.Core.Reporting.Model;

/// <summary>The socket options of one end as the operating system reported them after they were set. Null means the system did not say.</summary>
public sealed record EndOptions
{
    /// <summary>TCP_NODELAY as read back.</summary>
    public bool? NoDelay { get; init; }

    /// <summary><c>default</c>, <c>immediate</c> (read back or re-armed per receive), <c>unknown</c> (set, no query exists) or <c>unsupported</c>.</summary>
    public required string Ack { get; init; }

    /// <summary>How the ACK behaviour was judged, in a sentence.</summary>
    public string? AckBasis { get; init; }

    /// <summary>SO_SNDBUF as read back, in bytes.</summary>
    public int? SendBufferBytes { get; init; }

    /// <summary>SO_RCVBUF as read back, in bytes.</summary>
    public int? ReceiveBufferBytes { get; init; }

    /// <summary>True when this end spins instead of blocking.</summary>
    public bool Spin { get; init; }

    /// <summary>Processors this end's threads were bound to; empty when none or unknown.</summary>
    public IReadOnlyList<int> Pin { get; init; } = [];
}
