namespace LatencyTuner.Commands;

/// <summary>The values of the options of <c>apply</c>.</summary>
internal sealed record ApplyValues
{
    public IReadOnlyList<string> Settings { get; init; } = [];

    public string? Interface { get; init; }

    public string? Template { get; init; }

    public string? Filter { get; init; }

    public string? Plan { get; init; }

    public string? SavePlan { get; init; }

    public string? Script { get; init; }

    public string? Snapshot { get; init; }

    public string? Measured { get; init; }

    public string? Ticket { get; init; }

    public DateTimeOffset? NotAfterUtc { get; init; }

    public bool Yes { get; init; }

    public bool Force { get; init; }
}
