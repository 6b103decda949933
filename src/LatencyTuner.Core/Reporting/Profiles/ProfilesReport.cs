using LatencyTuner.Core.Reporting.Model;

namespace LatencyTuner.Core.Reporting.Profiles;

/// <summary>The <c>profiles</c> document.</summary>
public sealed record ProfilesReport : Report
{
    /// <summary><c>latencytuner/profiles/1</c>.</summary>
    public string Schema { get; init; } = "latencytuner/profiles/1";

    /// <summary>Requests per second that the estimates are for.</summary>
    public required double RatePerSecond { get; init; }

    /// <summary>The profiles, the one with the fewest events first.</summary>
    public required IReadOnlyList<ReportedProfile> Profiles { get; init; }

    /// <summary>What the reader must know, a sentence each.</summary>
    public IReadOnlyList<string> Notes { get; init; } = [];
}

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

/// <summary>One provider of a profile.</summary>
public sealed record ReportedProvider
{
    /// <summary>Its GUID.</summary>
    public required string Id { get; init; }

    /// <summary>Its name.</summary>
    public required string Name { get; init; }

    /// <summary>Events up to this level, 1 to 5.</summary>
    public required int Level { get; init; }

    /// <summary>Events with any of these keywords, hexadecimal.</summary>
    public required string Keywords { get; init; }

    /// <summary>Keywords of the state that is written at start and end, hexadecimal; null for none.</summary>
    public string? CaptureKeywords { get; init; }

    /// <summary>Only these ids; empty for all.</summary>
    public IReadOnlyList<int> EventIds { get; init; } = [];
}
