namespace LatencyTuner.Core.Recordings.Traces;

/// <summary>How many single requests, calls and times may still be kept, all connections together, so that a long trace does not fill the memory.</summary>
internal sealed class RetentionBudget
{
    private int _left = 250_000;
    private int _numbersLeft = 1_000_000;

    /// <summary>True when one more may be kept.</summary>
    public bool Take() => _left > 0 && _left-- > 0;

    /// <summary>True when one more time or duration may be kept.</summary>
    public bool TakeNumber() => _numbersLeft > 0 && _numbersLeft-- > 0;
}
