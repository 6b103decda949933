namespace LatencyTuner.Core.Reporting.Model;

/// <summary>A connection and where its time went.</summary>
public sealed record AnalysedConnection
{
    /// <summary>Its name, unique within the document unless ports were used again.</summary>
    public required string Id { get; init; }

    /// <summary>The end that connected.</summary>
    public required AnalysedEndpoint Client { get; init; }

    /// <summary>The end that accepted.</summary>
    public required AnalysedEndpoint Server { get; init; }

    /// <summary>True when the handshake was not captured, so that the ports decided who the client is.</summary>
    public bool RolesGuessed { get; init; }

    /// <summary>First packet.</summary>
    public required DateTimeOffset StartUtc { get; init; }

    /// <summary>Time from the first packet to the last, milliseconds.</summary>
    public required double DurationMs { get; init; }

    /// <summary>Packets in both directions.</summary>
    public required long Packets { get; init; }

    /// <summary>Payload in both directions, bytes, retransmissions included.</summary>
    public required long Bytes { get; init; }

    /// <summary>Requests with a response.</summary>
    public required long Transactions { get; init; }

    /// <summary>Where the capture was made: client, server, middle, local (both ends near), unknown.</summary>
    public required string Vantage { get; init; }

    /// <summary>Shortest round trip between the ends, milliseconds; null when not both halves were seen.</summary>
    public double? BaseRttMs { get; init; }

    /// <summary>Time with data outstanding or a request unanswered, milliseconds.</summary>
    public double ActiveMs { get; init; }

    /// <summary>Time lost to stalls, milliseconds; each millisecond counts once.</summary>
    public double StallMs { get; init; }

    /// <summary>The same by cause.</summary>
    public IReadOnlyDictionary<string, double> StallsMs { get; init; } = new Dictionary<string, double>();

    /// <summary>Median time of a transaction, milliseconds.</summary>
    public double? TransactionP50Ms { get; init; }

    /// <summary>Longest transaction, milliseconds.</summary>
    public double? TransactionMaxMs { get; init; }

    /// <summary>Median of the server's own time, milliseconds.</summary>
    public double? ServerP50Ms { get; init; }

    /// <summary>Median of the client's time between a response and its next request, milliseconds.</summary>
    public double? ClientP50Ms { get; init; }

    /// <summary>True when requests and responses overlap, so that their times cannot be separated.</summary>
    public bool NotSeparable { get; init; }

    /// <summary>Retransmissions that were needed.</summary>
    public long Losses { get; init; }

    /// <summary>Retransmissions of data that had arrived.</summary>
    public long SpuriousRetransmissions { get; init; }

    /// <summary>Pure ACKs of the client held for more than 100 ms.</summary>
    public long ClientAcksAbove100Ms { get; init; }

    /// <summary>Pure ACKs of the server held for more than 100 ms.</summary>
    public long ServerAcksAbove100Ms { get; init; }

    /// <summary>Length of an interval of <see cref="RoundTrips"/>, milliseconds.</summary>
    public double RoundTripIntervalMs { get; init; }

    /// <summary>The longest round trip of each interval that has one.</summary>
    public IReadOnlyList<RoundTripInterval> RoundTrips { get; init; } = [];

    /// <summary>What the events of a trace tell of its ends on this machine; empty for captures.</summary>
    public IReadOnlyList<ConnectionEnd> Ends { get; init; } = [];
}
