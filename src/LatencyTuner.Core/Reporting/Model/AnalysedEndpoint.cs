namespace LatencyTuner.Core.Reporting.Model;

/// <summary>One end of a connection.</summary>
public sealed record AnalysedEndpoint
{
    /// <summary>Its address.</summary>
    public required string Address { get; init; }

    /// <summary>Its port.</summary>
    public required int Port { get; init; }
}
