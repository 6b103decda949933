using System.ComponentModel.DataAnnotations;
using LatencyTuner.Core.Analysis.Ownership;

namespace LatencyTuner.Core.Reporting.Model;

/// <summary>Who owns a time: more than half of it for certain.</summary>
public sealed record OwnershipFigures
{
    /// <summary>The owner, nobody, or cannot tell.</summary>
    public required Owner Owner { get; init; }

    /// <summary>What it rests on, or why it cannot be told, a sentence.</summary>
    public required string Because { get; init; }

    /// <summary>Requests that were judged.</summary>
    public int Count { get; init; }

    /// <summary>The percentile above which they lie; null when all or the usual ones do.</summary>
    public double? AbovePercentile { get; init; }

    /// <summary>The three owners; empty where there is nothing to share out. Of a tail: time beyond each owner's own median.</summary>
    public IReadOnlyList<OwnerShareFigures> Shares { get; init; } = [];
}

/// <summary>
/// The mean response time split without synchronised clocks: the client's own delay (send lateness and time in send calls), the
/// server's residence time as it stamped it into each reply, and the rest, which is the network and both TCP stacks.
/// </summary>
public sealed record AttributionFigures
{
    /// <summary>Mean client share in microseconds.</summary>
    [Required]
    public double? ClientUs { get; init; }

    /// <summary>Mean server share in microseconds.</summary>
    [Required]
    public double? ServerUs { get; init; }

    /// <summary>Mean rest in microseconds.</summary>
    [Required]
    public double? NetworkUs { get; init; }

    /// <summary>Who owns the usual response time; null where single requests were not kept.</summary>
    public OwnershipFigures? Typical { get; init; }

    /// <summary>Who owns the tail; null where single requests were not kept.</summary>
    public OwnershipFigures? Tail { get; init; }

    /// <summary>How the client's waits for a processor are known: <c>run queue</c> or <c>stall clock</c>; null: not at all.</summary>
    public string? ClientWaitsBy { get; init; }

    /// <summary>How the server's waits for a processor are known, by its own word; null: not at all.</summary>
    public string? ServerWaitsBy { get; init; }

    /// <summary>What this machine did meanwhile; null when it was not watched.</summary>
    public HostFigures? Client { get; init; }

    /// <summary>What the server says its machine did meanwhile; null when it does not tell.</summary>
    public HostFigures? Server { get; init; }
}

/// <summary>What one owner holds of a time.</summary>
public sealed record OwnerShareFigures
{
    /// <summary>Client, server or network.</summary>
    public required Owner Owner { get; init; }

    /// <summary>Share (0 to 1).</summary>
    public required double Share { get; init; }

    /// <summary>Lower end of its 95 % interval.</summary>
    public required double LowShare { get; init; }

    /// <summary>Upper end.</summary>
    public required double HighShare { get; init; }

    /// <summary>Mean for each request in microseconds.</summary>
    public required double MeanUs { get; init; }
}
