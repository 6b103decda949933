namespace LatencyTuner.Core.Reporting.Model;

/// <summary>The grade of what a full path adds to the 90th percentile.</summary>
public sealed record BufferbloatFigures
{
    /// <summary><c>A+</c> to <c>F</c>; null when the path was not shown to be full.</summary>
    public string? Grade { get; init; }

    /// <summary>The letter at the better end of the interval.</summary>
    public string? GradeLow { get; init; }

    /// <summary>The letter at the worse end of the interval.</summary>
    public string? GradeHigh { get; init; }

    /// <summary>Whose scale it is, with its thresholds.</summary>
    public required string Scale { get; init; }

    /// <summary>What it rests on, or why there is no grade, a sentence.</summary>
    public required string Because { get; init; }
}
