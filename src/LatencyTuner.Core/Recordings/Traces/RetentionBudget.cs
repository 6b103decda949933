namespace LatencyTuner.Core.Recordings.Traces;

/// <summary>How many requests, calls and times all connections together may still keep, so that a long trace does not fill the memory.</summary>
internal sealed class RetentionBudget
{
    private int _left = 250_000;
    private int _numbersLeft = 1_000_000;

    /// <summary>True when one more request, call or hold may be kept; counts it.</summary>
    public bool Take() => _left > 0 && _left-- > 0;

    /// <summary>True when one more time or duration may be kept; counts it.</summary>
    public bool TakeNumber() => _numbersLeft > 0 && _numbersLeft-- > 0;
}
