namespace LatencyTuner.Core.Reporting.Writers;

/// <summary>Size, characters and colours of a text report.</summary>
public sealed record TextReportOptions
{
    /// <summary>Characters per line, 40 to 500; 80 by default. No line is longer.</summary>
    public int Width { get; init; } = 80;

    /// <summary>Rows of the screen that hold a whole report, 8 or more; null for everything, however long it is.</summary>
    public int? Height { get; init; }

    /// <summary>True for ASCII characters only.</summary>
    public bool Ascii { get; init; }

    /// <summary>True for ANSI colours.</summary>
    public bool Color { get; init; }
}
