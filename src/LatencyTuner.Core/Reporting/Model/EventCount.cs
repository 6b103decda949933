namespace LatencyTuner.Core.Reporting.Model;

/// <summary>Records of one kind in a trace.</summary>
public sealed record EventCount
{
    /// <summary>The provider.</summary>
    public required string Provider { get; init; }

    /// <summary>Event id; null for classic events.</summary>
    public int? Id { get; init; }

    /// <summary>Opcode; null for manifest events.</summary>
    public int? Opcode { get; init; }

    /// <summary>Version.</summary>
    public int Version { get; init; }

    /// <summary>Name of the event; null when neither the trace nor the tables tell it.</summary>
    public string? Name { get; init; }

    /// <summary>How many.</summary>
    public required long Count { get; init; }
}
