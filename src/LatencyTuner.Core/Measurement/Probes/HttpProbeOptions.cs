namespace LatencyTuner.Core.Measurement.Probes;

/// <summary>How HTTP and WebSocket targets are asked.</summary>
public sealed record HttpProbeOptions
{
    /// <summary>1.1 or 2.0; no other is accepted from the server.</summary>
    public Version Version { get; init; } = new(1, 1);

    /// <summary>True: one connection for all requests; false: a new one for each.</summary>
    public bool Kept { get; init; } = true;

    /// <summary>True: any certificate is accepted.</summary>
    public bool AnyCertificate { get; init; }

    /// <summary>Longest wait for a whole answer.</summary>
    public TimeSpan Timeout { get; init; } = TimeSpan.FromSeconds(10);
}
