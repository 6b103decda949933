namespace LatencyTuner.Core.Reporting.Writers;

/// <summary>Width, characters and colours of a text report.</summary>
public sealed record TextReportOptions
{
    /// <summary>Characters per line, 40 to 500; 80 by default. No line is longer.</summary>
    public int Width { get; init; } = 80;

    /// <summary>True for ASCII characters only.</summary>
    public bool Ascii { get; init; }

    /// <summary>True for ANSI colours.</summary>
    public bool Color { get; init; }
}
