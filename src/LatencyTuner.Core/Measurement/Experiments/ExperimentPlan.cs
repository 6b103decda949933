namespace LatencyTuner.Core.Measurement.Experiments;

/// <summary>The settings of the experiment.</summary>
public sealed record ExperimentPlan
{
    /// <summary>Number of rounds; every round measures every cell once, in a new random order, on new connections.</summary>
    public int Rounds { get; init; } = 5;

    /// <summary>Time per cell and round.</summary>
    public TimeSpan CellTime { get; init; } = TimeSpan.FromMilliseconds(120);

    /// <summary>Least number of requests per cell and round, even after <see cref="CellTime"/> has passed.</summary>
    public int CellAtLeast { get; init; } = 3;

    /// <summary>The cells to measure.</summary>
    public IReadOnlyList<ExperimentCell> Cells { get; init; } = ExperimentCell.All;

    /// <summary>Request size in bytes.</summary>
    public int Size { get; init; } = 64;

    /// <summary>Size of the first write of a split request in bytes; null for a quarter, at most 16.</summary>
    public int? FirstWrite { get; init; }

    /// <summary>Reply size in bytes, at least 2.</summary>
    public int ReplySize { get; init; } = 64;

    /// <summary>Think time of the server before each reply.</summary>
    public TimeSpan PeerThink { get; init; }

    /// <summary>Longest wait for one reply.</summary>
    public TimeSpan ReplyTimeout { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>Processor numbers, as in <see cref="MeasurementPlan.Pin"/>.</summary>
    public IReadOnlyList<int> Pin { get; init; } = [];

    /// <summary>Seed of the random order of the cells.</summary>
    public int Seed { get; init; } = 1;

    /// <summary>Number of requests in the extra round that distinguishes a fixed timer from a periodic one; 0 omits the round.</summary>
    public int TickProbes { get; init; } = 10;
}
