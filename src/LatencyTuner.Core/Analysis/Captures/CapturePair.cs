namespace LatencyTuner.Core.Analysis.Captures;

/// <summary>One connection at two places, clocks aligned. Times in nanoseconds.</summary>
/// <param name="Client">As seen nearer to the client.</param>
/// <param name="Server">As seen nearer to the server.</param>
internal sealed record CapturePair(ConnectionFacts Client, ConnectionFacts Server)
{
    public required string ClientPath { get; init; }
    public required string ServerPath { get; init; }
    public required long Packets { get; init; }

    /// <summary>How far the server's clock is ahead, and how far that may be off.</summary>
    public required long OffsetNs { get; init; }
    public required long UncertaintyNs { get; init; }

    /// <summary>How much faster the server's clock runs; null when the capture is too short to tell.</summary>
    public double? SkewPpm { get; init; }

    /// <summary>One-way times, sorted.</summary>
    public required long[] ToServerNs { get; init; }
    public required long[] ToClientNs { get; init; }
    public long LostToServer { get; init; }
    public long LostToClient { get; init; }
}
