namespace LatencyTuner.Core.Tuning.Dsc;

/// <summary>What an operation gives to DSC.</summary>
/// <param name="Lines">The lines of stdout: JSON, ASCII.</param>
/// <param name="Traces">What it says besides, in order.</param>
public sealed record DscAnswer(IReadOnlyList<string> Lines, IReadOnlyList<DscTrace> Traces)
{
    /// <summary>The result of the change; null when there was none.</summary>
    public TuningResult? Result { get; init; }
}

/// <summary>A sentence for the trace of DSC.</summary>
/// <param name="Level">Its level.</param>
/// <param name="Text">The sentence.</param>
public sealed record DscTrace(DscTraceLevel Level, string Text);

/// <summary>The levels of DSC's trace, the most important first.</summary>
public enum DscTraceLevel
{
    /// <summary>The operation failed.</summary>
    Error,

    /// <summary>Something needs attention.</summary>
    Warn,

    /// <summary>What was done or found.</summary>
    Info,

    /// <summary>Where values were read.</summary>
    Debug,

    /// <summary>Everything.</summary>
    Trace,
}
