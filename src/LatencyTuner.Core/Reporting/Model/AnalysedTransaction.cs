namespace LatencyTuner.Core.Reporting.Model;

/// <summary>A request with its response, and whose time it was.</summary>
public sealed record AnalysedTransaction
{
    /// <summary>The connection's id.</summary>
    public required string Connection { get; init; }

    /// <summary>Which one of its connection, from 0.</summary>
    public required int Index { get; init; }

    /// <summary>First byte of the request.</summary>
    public required DateTimeOffset StartUtc { get; init; }

    /// <summary>The same, milliseconds from the connection's first packet.</summary>
    public required double StartMs { get; init; }

    /// <summary>First byte of the request to last byte of the response, milliseconds.</summary>
    public required double DurationMs { get; init; }

    /// <summary>The server's own time, milliseconds; null, as the other shares, where requests and responses overlap.</summary>
    public required double? ServerMs { get; init; }

    /// <summary>Lower end of the interval that <see cref="ServerMs"/> lies in.</summary>
    public double? ServerLowMs { get; init; }

    /// <summary>Upper end of the interval that <see cref="ServerMs"/> lies in.</summary>
    public double? ServerHighMs { get; init; }

    /// <summary>The server's pauses inside the response, milliseconds.</summary>
    public double? ServerPausesMs { get; init; }

    /// <summary>The client's pauses inside the request, milliseconds.</summary>
    public double? ClientMs { get; init; }

    /// <summary>What stalled it, milliseconds.</summary>
    public double StallMs { get; init; }

    /// <summary>The stall that took most; null without one.</summary>
    public string? Stall { get; init; }

    /// <summary>The rest: the path and the transfer, milliseconds.</summary>
    public double? NetworkMs { get; init; }

    /// <summary>The client's time until its next request, milliseconds; null when none follows.</summary>
    public double? ClientAfterMs { get; init; }

    /// <summary>Request payload in bytes.</summary>
    public long RequestBytes { get; init; }

    /// <summary>Response payload in bytes.</summary>
    public long ResponseBytes { get; init; }

    /// <summary>Frame of the request's first byte.</summary>
    public long FirstFrame { get; init; }

    /// <summary>Frame of the response's last byte.</summary>
    public long LastFrame { get; init; }
}
