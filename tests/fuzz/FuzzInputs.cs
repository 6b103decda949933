namespace LatencyTuner.Fuzz;

/// <summary>Which files a run makes.</summary>
internal enum FuzzInputs
{
    /// <summary>Captures from even seeds, traces from odd ones.</summary>
    All,

    Captures,

    Traces,
}
