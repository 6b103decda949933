using System.ComponentModel.DataAnnotations;

namespace LatencyTuner.Core.Reporting.Sockets;

/// <summary>The sockets of one process together.</summary>
public sealed record SocketProcess
{
    /// <summary>Process id; null for connections whose process is unknown.</summary>
    [Required]
    public int? Pid { get; init; }

    /// <summary>Name of the process; null when unknown.</summary>
    [Required]
    public string? Process { get; init; }

    /// <summary>The services of the process.</summary>
    [Required]
    public IReadOnlyList<string> Services { get; init; } = [];

    /// <summary>Connections that carry data or may do so.</summary>
    public required int Connections { get; init; }

    /// <summary>Listeners.</summary>
    public required int Listeners { get; init; }

    /// <summary>Connections with TCP_NODELAY on: Nagle's algorithm is off.</summary>
    public required int NoDelayConnections { get; init; }

    /// <summary>Connections with TCP_NODELAY off: Nagle's algorithm is on.</summary>
    public required int NagleConnections { get; init; }

    /// <summary>Connections with a buffer that the application fixed.</summary>
    public required int FixedBufferConnections { get; init; }

    /// <summary>Segments retransmitted; null where the system does not count them.</summary>
    [Required]
    public long? Retransmitted { get; init; }

    /// <summary>The longest smoothed round-trip time of its connections, µs; null when unknown.</summary>
    [Required]
    public long? LongestRttUs { get; init; }
}
