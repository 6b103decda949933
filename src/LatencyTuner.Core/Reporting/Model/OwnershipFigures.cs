using System.ComponentModel.DataAnnotations;
using LatencyTuner.Core.Analysis.Ownership;

namespace LatencyTuner.Core.Reporting.Model;

/// <summary>The owner of a time: the client, server, network or TCP itself that accounts for more than half of it with 95 % confidence.</summary>
public sealed record OwnershipFigures
{
    /// <summary>The owner; <c>none</c> or <c>cannot-tell</c> where no owner is known.</summary>
    public required Owner Owner { get; init; }

    /// <summary>The evidence for the owner, or why there is none, a sentence.</summary>
    public required string Because { get; init; }

    /// <summary>Number of requests that were judged.</summary>
    public int Count { get; init; }

    /// <summary>The percentile above which the judged requests lie; null when all or the usual ones were judged.</summary>
    public double? AbovePercentile { get; init; }

    /// <summary>
    /// The shares of client, server, network and, beside a finding of it, TCP itself; empty where there was no time to share. For a tail: shares
    /// of the time beyond each owner's own median.
    /// </summary>
    public IReadOnlyList<OwnerShareFigures> Shares { get; init; } = [];
}

/// <summary>
/// The mean response time split without synchronised clocks: the client's own delay (send lateness and time in send calls), the
/// server's residence time, which the server writes into each reply, and the rest, which is the network and both TCP stacks.
/// </summary>
public sealed record AttributionFigures
{
    /// <summary>Mean time of the client in microseconds.</summary>
    [Required]
    public double? ClientUs { get; init; }

    /// <summary>Mean time of the server in microseconds.</summary>
    [Required]
    public double? ServerUs { get; init; }

    /// <summary>Mean time of the network and both TCP stacks in microseconds: the rest.</summary>
    [Required]
    public double? NetworkUs { get; init; }

    /// <summary>The owner of the usual response time; null where single requests were not kept.</summary>
    public OwnershipFigures? Typical { get; init; }

    /// <summary>The owner of the tail; null where single requests were not kept.</summary>
    public OwnershipFigures? Tail { get; init; }

    /// <summary>How the client's waits for a processor were measured: <c>run queue</c> or <c>stall clock</c>; null when they were not.</summary>
    public string? ClientWaitsBy { get; init; }

    /// <summary>How the server's waits for a processor were measured, as the server reports it; null when they were not.</summary>
    public string? ServerWaitsBy { get; init; }

    /// <summary>The load of this machine during the measurement; null when it was not observed.</summary>
    public HostFigures? Client { get; init; }

    /// <summary>The load of the server's machine, as the server reports it; null when it reports none.</summary>
    public HostFigures? Server { get; init; }
}

/// <summary>The part of a time that belongs to one owner.</summary>
public sealed record OwnerShareFigures
{
    /// <summary>Client, server, network, or TCP itself.</summary>
    public required Owner Owner { get; init; }

    /// <summary>Share (0 to 1) of the time.</summary>
    public required double Share { get; init; }

    /// <summary>Lower end of the 95 % interval of the share.</summary>
    public required double LowShare { get; init; }

    /// <summary>Upper end of the 95 % interval of the share.</summary>
    public required double HighShare { get; init; }

    /// <summary>Mean time per request in microseconds.</summary>
    public required double MeanUs { get; init; }
}
