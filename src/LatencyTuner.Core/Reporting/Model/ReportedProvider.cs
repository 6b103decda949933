namespace LatencyTuner.Core.Reporting.Model;

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
