namespace LatencyTuner.Core.Analysis.Captures;

/// <summary>Ports from one to another.</summary>
/// <param name="First">The first, 1 to 65535.</param>
/// <param name="Last">The last, not below the first.</param>
public readonly record struct PortRange(int First, int Last)
{
    /// <summary>True when a port is among them.</summary>
    public bool Contains(int port) => port >= First && port <= Last;
}
