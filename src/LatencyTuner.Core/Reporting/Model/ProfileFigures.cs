namespace LatencyTuner.Core.Reporting.Model;

/// <summary>One phase of a folded cycle, in the unit of its oscillation.</summary>
public sealed record ProfileFigures
{
    /// <summary>Share (0 to 1) of the period after the highest point of the sine.</summary>
    public required double Phase { get; init; }

    /// <summary>Mean.</summary>
    public required double Mean { get; init; }

    /// <summary>Lower end of its 95 % interval.</summary>
    public required double Low { get; init; }

    /// <summary>Upper end of its 95 % interval.</summary>
    public required double High { get; init; }

    /// <summary>Bins in it.</summary>
    public required int N { get; init; }
}
