namespace LatencyTuner.Core.Reporting.Model;

/// <summary>A figure that was observed: number, unit, count, and of what.</summary>
public sealed record AnalysisObservation
{
    /// <summary>What it is, in words.</summary>
    public required string What { get; init; }

    /// <summary>The host it is about.</summary>
    public string? Host { get; init; }

    /// <summary>The connection it is about.</summary>
    public string? Connection { get; init; }

    /// <summary>The process it is about; null when it is about none.</summary>
    public string? Process { get; init; }

    /// <summary>The figure.</summary>
    public required double Value { get; init; }

    /// <summary>Its unit.</summary>
    public required string Unit { get; init; }

    /// <summary>How many samples it comes from.</summary>
    public required long N { get; init; }

    /// <summary>False when it rests on events whose meaning only a manifest tells.</summary>
    public bool Verified { get; init; } = true;
}
