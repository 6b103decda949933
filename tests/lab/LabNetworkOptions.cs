namespace LatencyTuner.Lab;

/// <summary>How the two hosts of a <see cref="LabNetwork"/> are set up.</summary>
public sealed record LabNetworkOptions
{
    /// <summary>
    /// The namespaces are called this plus <c>-c</c> and <c>-s</c>. Null: <c>ltlab-PID-N</c>, unique, and removed by a later run if this
    /// process dies. Letters, digits and dashes, at most 60.
    /// </summary>
    public string? Name { get; init; }

    /// <summary>MTU of both devices, bytes, 1280 (IPv6's minimum) to 9000.</summary>
    public int Mtu { get; init; } = 1500;

    /// <summary>Whether the hosts offer TCP timestamps (RFC 7323).</summary>
    public bool Timestamps { get; init; } = true;

    /// <summary>Whether the client acknowledges every segment at once (route quickack).</summary>
    public bool ClientQuickAck { get; init; }

    /// <summary>Whether the server acknowledges every segment at once (route quickack).</summary>
    public bool ServerQuickAck { get; init; }
}
