namespace LatencyTuner.Core.Analysis;

/// <summary>One request's response time by owner, nanoseconds.</summary>
/// <param name="Client">Late sends, waits of the measuring thread for a processor, collections, and while the machine itself stood.</param>
/// <param name="Server">The server's residence time and waits of the serving thread for a processor.</param>
/// <param name="Network">The rest: the path and both kernels.</param>
public readonly record struct OwnedTimes(double Client, double Server, double Network)
{
    /// <summary>The response time.</summary>
    public double Total => Client + Server + Network;

    internal double Of(Owner owner) => owner switch { Owner.Client => Client, Owner.Server => Server, _ => Network };
}
