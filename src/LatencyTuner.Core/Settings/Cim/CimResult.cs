namespace LatencyTuner.Core.Settings.Cim;

/// <summary>What CIM answered: instances, or why there are none to be had.</summary>
/// <param name="Rows">The instances; empty with a failure.</param>
/// <param name="Failure">Why there is no answer; null when there is one.</param>
public sealed record CimResult(IReadOnlyList<CimRow> Rows, CimFailure? Failure = null)
{
    /// <summary>No answer.</summary>
    /// <param name="failure">Why.</param>
    public static CimResult Of(CimFailure failure) => new([], failure);
}
