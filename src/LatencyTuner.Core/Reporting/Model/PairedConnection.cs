namespace LatencyTuner.Core.Reporting.Model;

/// <summary>A connection that was captured at two places, with the clocks aligned.</summary>
public sealed record PairedConnection
{
    /// <summary>The connection's id.</summary>
    public required string Connection { get; init; }

    /// <summary>The capture nearer to the client.</summary>
    public required string ClientCapture { get; init; }

    /// <summary>The capture nearer to the server.</summary>
    public required string ServerCapture { get; init; }

    /// <summary>Packets found in both.</summary>
    public required long Packets { get; init; }

    /// <summary>How far the second clock is ahead, milliseconds, assuming that the path is as fast in both directions when it is idle.</summary>
    public required double ClockOffsetMs { get; init; }

    /// <summary>By how much the offset may be wrong, milliseconds: half the shortest round trip between the captures.</summary>
    public required double ClockUncertaintyMs { get; init; }

    /// <summary>By how much the second clock runs faster, parts per million; null when the capture is too short to tell.</summary>
    public double? ClockSkewPpm { get; init; }

    /// <summary>Median time from the client's capture to the server's, milliseconds.</summary>
    public required double ToServerP50Ms { get; init; }

    /// <summary>Longest time from the client's capture to the server's, milliseconds.</summary>
    public required double ToServerMaxMs { get; init; }

    /// <summary>Median time from the server's capture to the client's, milliseconds.</summary>
    public required double ToClientP50Ms { get; init; }

    /// <summary>Longest time from the server's capture to the client's, milliseconds.</summary>
    public required double ToClientMaxMs { get; init; }

    /// <summary>Packets of the client with data that only its capture has: lost between.</summary>
    public long LostToServer { get; init; }

    /// <summary>Packets of the server with data that only its capture has: lost between.</summary>
    public long LostToClient { get; init; }
}
