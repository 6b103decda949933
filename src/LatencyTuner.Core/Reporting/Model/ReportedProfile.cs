namespace LatencyTuner.Core.Reporting.Model;

/// <summary>One profile of ETW events.</summary>
public sealed record ReportedProfile
{
    /// <summary>Its name.</summary>
    public required string Name { get; init; }

    /// <summary>What it shows.</summary>
    public required string Description { get; init; }

    /// <summary>Its providers.</summary>
    public required IReadOnlyList<ReportedProvider> Providers { get; init; }

    /// <summary>Estimate: events at one end for one request and its reply.</summary>
    public required double EventsPerRequest { get; init; }

    /// <summary>Estimate: events per second at the rate asked for.</summary>
    public required double EventsPerSecond { get; init; }

    /// <summary>Estimate: bytes per second at that rate.</summary>
    public required double BytesPerSecond { get; init; }

    /// <summary>Estimate: events per second with tools that cannot filter by event id.</summary>
    public required double UnfilteredEventsPerSecond { get; init; }

    /// <summary>How to capture it with what Windows ships: tool to lines.</summary>
    public IReadOnlyDictionary<string, IReadOnlyList<string>> Commands { get; init; } = new Dictionary<string, IReadOnlyList<string>>();
}
