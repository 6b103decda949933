using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Measurement.Sweeps;

/// <summary>The texts for points and dimensions.</summary>
public static class SweepText
{
    /// <summary>The published name of a dimension.</summary>
    public static string Of(SweepDimension dimension) => dimension switch
    {
        SweepDimension.ReceiveBuffer => "receive-buffer",
        SweepDimension.SendBuffer => "send-buffer",
        SweepDimension.Rate => "rate",
        SweepDimension.Size => "size",
        SweepDimension.Connections => "connections",
        SweepDimension.Window => "window",
        _ => "batch",
    };

    /// <summary>The text for a point, a phrase.</summary>
    public static string Of(SweepCell cell)
    {
        ArgumentNullException.ThrowIfNull(cell);
        return string.Join(", ", cell.Levels.Select(Of));
    }

    /// <summary>The text for one value, a phrase.</summary>
    public static string Of(SweepLevel level) => level switch
    {
        { Dimension: SweepDimension.Window, Value: null } => "dynamic window",
        { Value: null } => $"{Of(level.Dimension)} left to the system".Replace('-', ' '),
        { Dimension: SweepDimension.Rate, Value: { } rate } => $"{rate:N0} requests/s",
        { Dimension: SweepDimension.Connections, Value: { } n } => Counted.Of((long)n, "connection"),
        { Dimension: SweepDimension.Batch, Value: { } n } => $"{Counted.Of((long)n, "message")} per write",
        { Value: { } bytes } => $"{Of(level.Dimension)} {bytes:N0} B".Replace('-', ' '),
    };
}
