namespace LatencyTuner.Core.Capture;

/// <summary>What a frame turned out to be.</summary>
internal enum DecodeOutcome
{
    /// <summary>A TCP segment.</summary>
    Tcp,

    /// <summary>IP with another protocol.</summary>
    NotTcp,

    /// <summary>No IP inside, such as ARP.</summary>
    NotIp,

    /// <summary>A link type that is not decoded.</summary>
    UnknownLink,

    /// <summary>The captured bytes end before the fixed TCP header does.</summary>
    Truncated,

    /// <summary>Lengths that contradict each other.</summary>
    Malformed,

    /// <summary>A fragment of a datagram that is not complete.</summary>
    Fragment,
}
