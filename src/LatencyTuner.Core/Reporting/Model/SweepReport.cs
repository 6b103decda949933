using LatencyTuner.Core.Analysis;

namespace LatencyTuner.Core.Reporting.Model;

/// <summary>The <c>sweep</c> document.</summary>
public sealed record SweepReport
{
    /// <summary><c>latencytuner/sweep/1</c>.</summary>
    public string Schema { get; init; } = "latencytuner/sweep/1";

    /// <summary>False when it ended early.</summary>
    public required bool Complete { get; init; }

    /// <summary>Why it ended early, a sentence.</summary>
    public string? EndedBecause { get; init; }

    /// <summary>When it started.</summary>
    public required DateTimeOffset StartedUtc { get; init; }

    /// <summary>What was measured.</summary>
    public required TargetDescription Target { get; init; }

    /// <summary>The dimensions, for example <c>rate</c>.</summary>
    public required IReadOnlyList<string> Dimensions { get; init; }

    /// <summary><c>tcp</c>, or <c>http2</c> when the responder sends each request's messages in a response stream.</summary>
    public string Protocol { get; init; } = "tcp";

    /// <summary>The write pattern.</summary>
    public required string Pattern { get; init; }

    /// <summary>The options, the swept one aside.</summary>
    public required OptionPair Options { get; init; }

    /// <summary>What a request consists of; null where the options say it all.</summary>
    public SweepLoadFigures? Load { get; init; }

    /// <summary>Rounds of points that an interrupted run had left in the state file.</summary>
    public int ResumedRounds { get; init; }

    /// <summary>Points in ascending order of the dimension, the system's own choice first.</summary>
    public IReadOnlyList<SweepPoint> Points { get; init; } = [];

    /// <summary>The knee; null when there is none. With connections as a second dimension, that of the fewest connections that have one.</summary>
    public SweepKnee? Knee { get; init; }

    /// <summary>With connections as a second dimension: the knee at each number of them that has one.</summary>
    public IReadOnlyList<SweepKnee> Knees { get; init; } = [];

    /// <summary>Where it begins to go bad, for buffers and windows.</summary>
    public IReadOnlyList<SweepOnset> GoesBad { get; init; } = [];

    /// <summary>Findings.</summary>
    public IReadOnlyList<Finding> Findings { get; init; } = [];

    /// <summary>What the reader must know, a sentence each.</summary>
    public IReadOnlyList<string> Notes { get; init; } = [];
}
