namespace LatencyTuner.Core.Evidence;

/// <summary>What sits in the network path, or manages settings.</summary>
public sealed record HostComponent
{
    /// <summary>
    /// What it is: <c>layered-service-provider</c>, <c>wfp-callout</c>, <c>ndis-filter</c>, <c>security-driver</c>, <c>policy</c>,
    /// <c>rsc</c>, <c>rss</c>, <c>sr-iov</c>, <c>dotnet-config</c>.
    /// </summary>
    public required string Kind { get; init; }

    /// <summary>Its name.</summary>
    public required string Name { get; init; }

    /// <summary>Version, vendor, or what it manages; null when unknown.</summary>
    public string? Detail { get; init; }
}
