using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Reporting.Sweep;

/// <summary>The values of a sweep in words.</summary>
internal static class SweepValues
{
    /// <summary>A number of a dimension with its unit.</summary>
    internal static string Of(string dimension, double value) => dimension switch
    {
        "rate" => $"{Format.Plain(value)}/s",
        "connections" or "batch" => Format.Plain(value),
        _ => Format.Bytes((long)value),
    };

    /// <summary>The value of a point in the main dimension.</summary>
    internal static string Of(SweepReport report, SweepPoint point) => Main(report) switch
    {
        "rate" => point.Rate is { } rate ? Of("rate", rate) : "unpaced",
        "window" => point.WindowBytes is long bytes ? Format.Bytes(bytes) : "dynamic",
        "receive-buffer" => point.ReceiveBufferBytes?.Requested is { } r ? Format.Bytes(r) : "auto",
        "send-buffer" => point.SendBufferBytes?.Requested is { } s ? Format.Bytes(s) : "auto",
        "size" => Format.Bytes(point.SizeBytes ?? 0),
        "connections" => Format.Plain(point.Connections ?? 0),
        _ => Format.Plain(point.MessagesPerWrite ?? 0),
    };

    /// <summary>The value as a number on the axis; null when the system chose it.</summary>
    internal static double? Number(SweepReport report, SweepPoint point) => Main(report) switch
    {
        "rate" => point.Rate,
        "window" => point.WindowBytes is long bytes ? bytes / 1024.0 : null,
        "receive-buffer" => point.ReceiveBufferBytes?.Requested / 1024.0,
        "send-buffer" => point.SendBufferBytes?.Requested / 1024.0,
        "size" => point.SizeBytes,
        "connections" => point.Connections,
        _ => point.MessagesPerWrite,
    };

    /// <summary>The size that the system set; null when it is the requested one.</summary>
    internal static string? Effective(SweepReport report, SweepPoint point) =>
        report.Protocol == "http2"
            ? (Main(report) == "window" && point is { WindowBytes: string, StreamWindowBytes: { } grown } ? "got " + Format.Bytes(grown) : null)
        : (Main(report) == "send-buffer" ? point.SendBufferBytes : point.ReceiveBufferBytes) is { Effective: { } effective } buffer
            && buffer.Effective != buffer.Requested
            ? "got " + Format.Bytes(effective)
            : null;

    /// <summary>Heading of the column of values.</summary>
    internal static string Header(SweepReport report) => Main(report) switch
    {
        "rate" => "planned",
        "receive-buffer" => "SO_RCVBUF",
        "send-buffer" => "SO_SNDBUF",
        "size" => "message",
        "batch" => "per write",
        var other => other,
    };

    /// <summary>Name and unit of the axis.</summary>
    internal static string Axis(SweepReport report) => Main(report) switch
    {
        "rate" => "planned requests/s",
        "receive-buffer" => "receive buffer, KiB",
        "send-buffer" => "send buffer, KiB",
        "window" => "window, KiB",
        "size" => "message, bytes",
        "batch" => "messages per write",
        var other => other,
    };

    internal static string Main(SweepReport report) => report.Dimensions.Count > 0 ? report.Dimensions[0] : "rate";
}
