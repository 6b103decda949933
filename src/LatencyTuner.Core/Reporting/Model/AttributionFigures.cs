namespace LatencyTuner.Core.Reporting.Model;

/// <summary>
/// The mean response time split without synchronised clocks: the client's own delay (send lateness and time in send calls), the
/// server's residence time as it stamped it into each reply, and the rest, which is the network and both TCP stacks.
/// </summary>
public sealed record AttributionFigures
{
    /// <summary>Mean client share in microseconds.</summary>
    public double? ClientUs { get; init; }

    /// <summary>Mean server share in microseconds.</summary>
    public double? ServerUs { get; init; }

    /// <summary>Mean rest in microseconds.</summary>
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
