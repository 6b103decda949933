namespace LatencyTuner.Core.Measurement.Experiments;

/// <summary>What the experiment found, before any judgement.</summary>
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

    /// <summary>What was measured.</summary>
    public MeasurementTarget Target { get; }

    /// <summary>How.</summary>
    public ExperimentPlan Plan { get; }

    /// <summary>When.</summary>
    public DateTimeOffset StartedUtc { get; }

    /// <summary>The cells in the order of the plan.</summary>
    public IReadOnlyList<CellResult> Cells => [.. Plan.Cells.Select(c => _cells[c])];

    /// <summary>Rounds finished.</summary>
    public int Rounds { get; internal set; }

    /// <summary>The failure that ended it, a sentence; null when none.</summary>
    public string? EndedBecause { get; internal set; }

    /// <summary>True when it was cancelled.</summary>
    public bool Cancelled { get; internal set; }

    /// <summary>True when every round was measured.</summary>
    public bool Complete => EndedBecause is null && !Cancelled;

    /// <summary>Requests in two writes after random pauses, to tell a fixed timer from a ticking one; null when not needed.</summary>
    public CellResult? TickProbe { get; internal set; }

    /// <summary>Shortest connect time.</summary>
    public TimeSpan? ConnectTime { get; internal set; }

    /// <summary>What the responder calls itself.</summary>
    public string? ResponderSoftware { get; internal set; }

    /// <summary>Its operating system.</summary>
    public string? ResponderOs { get; internal set; }

    /// <summary>The result of one cell; null when it was not in the plan.</summary>
    public CellResult? this[ExperimentCell cell] => _cells.GetValueOrDefault(cell);
}
