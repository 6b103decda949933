namespace LatencyTuner.Lab;

/// <summary>What a <see cref="LinkEmulator"/> emulates. The default is a clean wire.</summary>
public sealed record LinkEmulatorOptions
{
    /// <summary>From the client to the server.</summary>
    public LinkSpec ClientToServer { get; init; } = new();

    /// <summary>From the server to the client.</summary>
    public LinkSpec ServerToClient { get; init; } = new();

    /// <summary>The client's delayed ACK; null: the host's own ACKs pass. Needs <see cref="LabNetworkOptions.ClientQuickAck"/>.</summary>
    public AckHoldSpec? ClientHold { get; init; }

    /// <summary>The server's delayed ACK; null: the host's own ACKs pass. Needs <see cref="LabNetworkOptions.ServerQuickAck"/>.</summary>
    public AckHoldSpec? ServerHold { get; init; }

    /// <summary>Seeds loss, jitter and reordering.</summary>
    public int Seed { get; init; } = 1;

    /// <summary>Where a pcap file as seen at the client is written; null: none.</summary>
    public string? ClientPcap { get; init; }

    /// <summary>Where a pcap file as seen at the server is written; null: none.</summary>
    public string? ServerPcap { get; init; }

    /// <summary>Bytes of each frame that go into the pcap files, 54 or more.</summary>
    public int SnapLength { get; init; } = 262_144;
}
