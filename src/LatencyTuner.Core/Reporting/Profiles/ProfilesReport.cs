using System.Text.Json.Serialization;
using LatencyTuner.Core.Reporting.Model;

namespace LatencyTuner.Core.Reporting.Profiles;

/// <summary>The <c>profiles</c> document.</summary>
public sealed record ProfilesReport : Report
{
    /// <summary><c>latencytuner/profiles/2</c>.</summary>
    [JsonPropertyOrder(-2)]
    public string Schema { get; init; } = "latencytuner/profiles/2";

    /// <summary>Requests per second for which the estimates are made.</summary>
    public required double RatePerSecond { get; init; }

    /// <summary>The profiles, the one with the fewest events first.</summary>
    public required IReadOnlyList<ReportedProfile> Profiles { get; init; }

    /// <summary>What the reader must know, a sentence each.</summary>
    public IReadOnlyList<string> Notes { get; init; } = [];
}

/// <summary>One profile of ETW events.</summary>
public sealed record ReportedProfile
{
    /// <summary>Name of the profile.</summary>
    public required string Name { get; init; }

    /// <summary>What the profile shows.</summary>
    public required string Description { get; init; }

    /// <summary>The ETW providers of the profile.</summary>
    public required IReadOnlyList<ReportedProvider> Providers { get; init; }

    /// <summary>Estimated number of events at one end for one request and its reply.</summary>
    public required double EventsPerRequest { get; init; }

    /// <summary>Estimated number of events per second at the requested rate.</summary>
    public required double EventsPerSecond { get; init; }

    /// <summary>Estimated bytes per second at the requested rate.</summary>
    public required double BytesPerSecond { get; init; }

    /// <summary>Estimated number of events per second with tools that cannot filter by event id.</summary>
    public required double UnfilteredEventsPerSecond { get; init; }

    /// <summary>The command lines that capture the profile with tools of Windows, by tool.</summary>
    public IReadOnlyDictionary<string, IReadOnlyList<string>> Commands { get; init; } = new Dictionary<string, IReadOnlyList<string>>();
}

/// <summary>One provider of a profile.</summary>
public sealed record ReportedProvider
{
    /// <summary>GUID of the provider.</summary>
    public required string Id { get; init; }

    /// <summary>Name of the provider.</summary>
    public required string Name { get; init; }

    /// <summary>The highest event level that is captured, 1 to 5.</summary>
    public required int Level { get; init; }

    /// <summary>Mask of the keywords that are captured, hexadecimal; an event needs one of them.</summary>
    public required string Keywords { get; init; }

    /// <summary>Mask of the keywords of the state that is written at the start and at the end, hexadecimal; null for none.</summary>
    public string? CaptureKeywords { get; init; }

    /// <summary>The event ids that are captured; empty for all.</summary>
    public IReadOnlyList<int> EventIds { get; init; } = [];
}
