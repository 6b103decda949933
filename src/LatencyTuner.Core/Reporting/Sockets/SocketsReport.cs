using System.ComponentModel.DataAnnotations;
using System.Text.Json.Serialization;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Reporting.Model;

namespace LatencyTuner.Core.Reporting.Sockets;

/// <summary>The <c>sockets</c> document: the TCP connections and listeners of a host, with the options and counters of each.</summary>
public sealed record SocketsReport : Report
{
    /// <summary><c>latencytuner/sockets/2</c>.</summary>
    [JsonPropertyOrder(-2)]
    public string Schema { get; init; } = "latencytuner/sockets/2";

    /// <summary>
    /// The time over which the counters of each socket changed by what is listed, milliseconds; null when they are since the connection began.
    /// </summary>
    [Required]
    public double? IntervalMs { get; init; }

    /// <summary>The processes with their sockets counted.</summary>
    [Required]
    public IReadOnlyList<SocketProcess> Processes { get; init; } = [];

    /// <summary>The connections and listeners, by process, then by address.</summary>
    [Required]
    public IReadOnlyList<HostSocket> Sockets { get; init; } = [];

    /// <summary>The processes whose sockets could not be read, and the rule that forbids it.</summary>
    [Required]
    public IReadOnlyList<UnreadableProcess> Unreadable { get; init; } = [];

    /// <summary>Connections without a process that are not listed, because they ended (TIME_WAIT and the like).</summary>
    public int WithoutProcess { get; init; }

    /// <summary>The findings: exposures, which are information, and what the counters or a capture show.</summary>
    [Required]
    public IReadOnlyList<Finding> Findings { get; init; } = [];

    /// <summary>What the reader must know, a sentence each.</summary>
    public IReadOnlyList<string> Notes { get; init; } = [];
}
