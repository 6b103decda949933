namespace LatencyTuner.Core.Reporting.Model;

/// <summary>What one request of a sweep consists of, swept values aside.</summary>
public sealed record SweepLoadFigures
{
    /// <summary>Size of a message in bytes.</summary>
    public required int MessageBytes { get; init; }

    /// <summary>Messages in a request.</summary>
    public required int Messages { get; init; }

    /// <summary>Messages handed to the system in one write.</summary>
    public required int MessagesPerWrite { get; init; }

    /// <summary>Over HTTP/2: true when messages are made while those before are sent; null over TCP.</summary>
    public bool? FetchedAhead { get; init; }

    /// <summary>Over HTTP/2: true when all streams share one connection; null over TCP.</summary>
    public bool? OneConnection { get; init; }

    /// <summary>True when requests have no replies.</summary>
    public bool OneWay { get; init; }
}
