namespace LatencyTuner.Core.Reporting.Model;

/// <summary>Requested beside effective.</summary>
public sealed record OptionPair
{
    /// <summary>As asked.</summary>
    public required RequestedOptions Requested { get; init; }

    /// <summary>As read back; null when no connection was made.</summary>
    public EffectiveOptions? Effective { get; init; }
}
