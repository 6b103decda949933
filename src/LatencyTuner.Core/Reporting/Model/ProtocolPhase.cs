namespace LatencyTuner.Core.Reporting.Model;

/// <summary>One part of the exchanges with a target.</summary>
public sealed record ProtocolPhase
{
    /// <summary>Its name, for example <c>connect</c> or <c>first byte</c>.</summary>
    public required string Name { get; init; }

    /// <summary>Times from the start of the exchange to the end of this part.</summary>
    public required LatencyFigures Latency { get; init; }
}
