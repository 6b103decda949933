namespace LatencyTuner.Core.Reporting.Model;

/// <summary>The <c>protocols</c> document: several targets or protocols, asked in turn on one schedule.</summary>
public sealed record ProtocolsReport
{
    /// <summary><c>latencytuner/protocols/1</c>.</summary>
    public string Schema { get; init; } = "latencytuner/protocols/1";

    /// <summary>False when it ended early.</summary>
    public required bool Complete { get; init; }

    /// <summary>When it started.</summary>
    public required DateTimeOffset StartedUtc { get; init; }

    /// <summary>How long it took in milliseconds.</summary>
    public required double DurationMs { get; init; }

    /// <summary>Planned requests per second to each target.</summary>
    public required double RatePerSecond { get; init; }

    /// <summary>Seed of the order within each round.</summary>
    public int Seed { get; init; }

    /// <summary>The targets in the order given; HTTP once for each version and kind of connection.</summary>
    public IReadOnlyList<ProtocolTarget> Targets { get; init; } = [];

    /// <summary>Best of two; null when no hedge was asked for.</summary>
    public HedgeFigures? Hedge { get; init; }

    /// <summary>What the reader must know, a sentence each.</summary>
    public IReadOnlyList<string> Notes { get; init; } = [];
}
