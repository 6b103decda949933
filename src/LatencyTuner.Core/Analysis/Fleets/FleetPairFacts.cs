namespace LatencyTuner.Core.Analysis.Fleets;

/// <summary>A client and a server with what was measured between them.</summary>
/// <param name="Client">The host that measured.</param>
/// <param name="Server">The target.</param>
/// <param name="Workload">What was sent, in words; only pairs with the same workload are compared.</param>
/// <param name="P99Us">99th percentile of the response time, microseconds; null with too few samples.</param>
/// <param name="P99LowUs">Lower end of its 95 % interval; null when unknown.</param>
/// <param name="P99HighUs">Upper end of its 95 % interval; null when unknown.</param>
internal sealed record FleetPairFacts(string Client, string Server, string Workload, double? P99Us, double? P99LowUs, double? P99HighUs)
{
    /// <summary>The name of the target that is the measuring program itself.</summary>
    internal const string Loopback = "loopback";

    /// <summary>True for a measurement within one machine.</summary>
    internal bool IsLoopback => Server == Loopback;
}
