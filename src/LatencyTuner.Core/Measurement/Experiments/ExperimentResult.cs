namespace LatencyTuner.Core.Measurement.Experiments;

/// <summary>The results of the experiment, before any verdict.</summary>
public sealed class ExperimentResult
{
    private readonly Dictionary<ExperimentCell, CellResult> _cells = [];

    internal ExperimentResult(MeasurementTarget target, ExperimentPlan plan, DateTimeOffset startedUtc)
    {
        Target = target;
        Plan = plan;
        StartedUtc = startedUtc;
        foreach (ExperimentCell cell in plan.Cells)
        {
            _cells[cell] = new CellResult(cell);
        }
    }

    /// <summary>The responder that was measured.</summary>
    public MeasurementTarget Target { get; }

    /// <summary>The settings of the experiment.</summary>
    public ExperimentPlan Plan { get; }

    /// <summary>Start of the experiment, UTC.</summary>
    public DateTimeOffset StartedUtc { get; }

    /// <summary>The cells in the order of the plan.</summary>
    public IReadOnlyList<CellResult> Cells => [.. Plan.Cells.Select(c => _cells[c])];

    /// <summary>Number of finished rounds.</summary>
    public int Rounds { get; internal set; }

    /// <summary>The failure that ended the experiment early, a sentence; null when there was none.</summary>
    public string? EndedBecause { get; internal set; }

    /// <summary>True when it was cancelled.</summary>
    public bool Cancelled { get; internal set; }

    /// <summary>True when every round was measured.</summary>
    public bool Complete => EndedBecause is null && !Cancelled;

    /// <summary>Requests in two writes after random pauses, to distinguish a fixed timer from a periodic one; null when not needed.</summary>
    public CellResult? TickProbe { get; internal set; }

    /// <summary>Shortest connect time; null when no connection was opened.</summary>
    public TimeSpan? ConnectTime { get; internal set; }

    /// <summary>Name and version of the responder's software, as it reports them.</summary>
    public string? ResponderSoftware { get; internal set; }

    /// <summary>The responder's operating system, as it reports it.</summary>
    public string? ResponderOs { get; internal set; }

    /// <summary>The result of one cell; null when it was not in the plan.</summary>
    public CellResult? this[ExperimentCell cell] => _cells.GetValueOrDefault(cell);
}
