namespace LatencyTuner.Core.Reporting.Documents;

/// <summary>A report as something to read, before it is text or HTML.</summary>
public sealed record Page
{
    /// <summary>What was done, for example <c>check loopback, app01</c>.</summary>
    public required string Title { get; init; }

    /// <summary>When and with what, in one line; null when unknown.</summary>
    public string? Subtitle { get; init; }

    /// <summary>The headline.</summary>
    public required PageVerdict Verdict { get; init; }

    /// <summary>The body, most important first.</summary>
    public IReadOnlyList<PageSection> Sections { get; init; } = [];
}
