using System.Net;

namespace LatencyTuner.Core.Sockets.Windows;

/// <summary>What AFD told about one TCP socket of another process.</summary>
internal sealed record AfdReading
{
    internal required AfdShared Shared { get; init; }

    internal required IPEndPoint Local { get; init; }

    /// <summary>Null for a listener.</summary>
    internal IPEndPoint? Remote { get; init; }

    internal bool? NoDelay { get; init; }

    internal string? CongestionControl { get; init; }

    internal KernelCounters Counters { get; init; } = KernelCounters.Unsupported;

    internal long? BytesSent { get; init; }

    internal long? BytesReceived { get; init; }
}
