namespace LatencyTuner.Core.Reporting.Model;

/// <summary>A socket buffer as it was asked for and as the operating system set it: Linux doubles what is asked and has a lower and an upper limit.</summary>
public sealed record BufferSize
{
    /// <summary>Bytes asked for; null: left to the system, which may then adapt it.</summary>
    public int? Requested { get; init; }

    /// <summary>Bytes as read back at the start; null when the system did not say.</summary>
    public int? Effective { get; init; }
}
