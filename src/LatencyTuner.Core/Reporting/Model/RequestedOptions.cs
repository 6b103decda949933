using System.ComponentModel.DataAnnotations;

namespace LatencyTuner.Core.Reporting.Model;

/// <summary>The options that the user requested. Null means: left to the operating system, or not used.</summary>
public sealed record RequestedOptions
{
    /// <summary>Request size in bytes.</summary>
    public required int SizeBytes { get; init; }

    /// <summary>Reply size in bytes.</summary>
    public required int ReplySizeBytes { get; init; }

    /// <summary>Sizes of the writes that make up one request, in bytes.</summary>
    public required IReadOnlyList<int> WritesBytes { get; init; }

    /// <summary>Time between the writes of one request in microseconds.</summary>
    public double GapUs { get; init; }

    /// <summary>Number of writes that make up one reply.</summary>
    public int PeerWrites { get; init; } = 1;

    /// <summary>Think time requested from the responder, in microseconds.</summary>
    public double PeerThinkUs { get; init; }

    /// <summary>Open-loop rate in requests per second over all connections; null for a closed loop.</summary>
    public double? RatePerSecond { get; init; }

    /// <summary><c>constant</c> or <c>poisson</c>; null for a closed loop.</summary>
    public string? Arrivals { get; init; }

    /// <summary>Planned duration in milliseconds; null when a count ends the run.</summary>
    public double? DurationMs { get; init; }

    /// <summary>Planned number of requests; null when the duration ends the run.</summary>
    [Range(0, double.MaxValue)]
    public long? Count { get; init; }

    /// <summary>Warm-up time in milliseconds; requests in it are not counted.</summary>
    public double WarmupMs { get; init; }

    /// <summary>Number of connections.</summary>
    public int Connections { get; init; } = 1;

    /// <summary>Maximum number of requests in flight on one connection.</summary>
    public int InFlight { get; init; } = 1;

    /// <summary>TCP_NODELAY requested at this end.</summary>
    public bool? NoDelay { get; init; }

    /// <summary>TCP_NODELAY requested at the responder.</summary>
    public bool? PeerNoDelay { get; init; }

    /// <summary>ACK behaviour requested at this end: <c>default</c> or <c>immediate</c>.</summary>
    public string Ack { get; init; } = "default";

    /// <summary>ACK behaviour requested at the responder: <c>default</c> or <c>immediate</c>.</summary>
    public string PeerAck { get; init; } = "default";

    /// <summary>SO_SNDBUF requested at this end, in bytes.</summary>
    public int? SendBufferBytes { get; init; }

    /// <summary>SO_RCVBUF requested at this end, in bytes.</summary>
    public int? ReceiveBufferBytes { get; init; }

    /// <summary>SO_SNDBUF requested at the responder, in bytes.</summary>
    public int? PeerSendBufferBytes { get; init; }

    /// <summary>SO_RCVBUF requested at the responder, in bytes.</summary>
    public int? PeerReceiveBufferBytes { get; init; }

    /// <summary>True when both ends spin instead of blocking.</summary>
    public bool Spin { get; init; }

    /// <summary>Processors the measuring threads are bound to.</summary>
    public IReadOnlyList<int> Pin { get; init; } = [];

    /// <summary>Seed of the random arrival times.</summary>
    public int Seed { get; init; }
}

/// <summary>The options in effect at each end.</summary>
public sealed record EffectiveOptions
{
    /// <summary>Options of this end.</summary>
    public required EndOptions Local { get; init; }

    /// <summary>Options of the responder's end.</summary>
    public required EndOptions Peer { get; init; }
}

/// <summary>The socket options of one end as the operating system reported them after they were set. Null means: the system did not report it.</summary>
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

/// <summary>The requested options and the options in effect.</summary>
public sealed record OptionPair
{
    /// <summary>The options as the user requested them.</summary>
    public required RequestedOptions Requested { get; init; }

    /// <summary>The options as both ends read them back; null when no connection was made.</summary>
    [Required]
    public EffectiveOptions? Effective { get; init; }
}
