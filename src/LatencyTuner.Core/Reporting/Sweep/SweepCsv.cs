using LatencyTuner.Core.Reporting.Writers;
using LatencyTuner.Core.Statistics;

namespace LatencyTuner.Core.Reporting.Sweep;

/// <summary>The CSV table of a <c>sweep</c> document.</summary>
internal static class SweepCsv
{
    /// <summary>A sweep: one row per point.</summary>
    internal static string Write(SweepReport report)
    {
        CsvTable table = new(
            "target", "rate", "sizeBytes", "sendBufferRequestedBytes", "sendBufferEffectiveBytes", "receiveBufferRequestedBytes",
            "receiveBufferEffectiveBytes", "windowBytes", "connections",
            "messagesPerWrite", "failedBecause", "rateHeld", "rounds", "n", "meanUs", "p50Us", "p50LowUs", "p50HighUs", "p90Us", "p99Us", "p99LowUs",
            "p99HighUs", "p99_9Us", "maxUs",
            "throughputPerSecond", "throughputLowPerSecond", "throughputHighPerSecond", "throughputBytesPerSecond", "sendBlockedShare", "rwndLimitedShare",
            "sndbufLimitedShare",
            "cwndLimitedShare", "busyShare", "segmentsPerRequest", "longestSendUs", "sendLatenessP99Us", "streamWindowBytes", "roundTripUs",
            "fetchShare", "sendCallShare", "sendWaitShare", "fetchOverlapShare", "fetchOverlapSeenShare");
        foreach (SweepPoint point in report.Points)
        {
            (IntervalFigures? p50, IntervalFigures? p99) = (point.Intervals.GetValueOrDefault("p50Us"), point.Intervals.GetValueOrDefault("p99Us"));
            table.Row(
                report.Target.Name, point.Rate, point.SizeBytes, point.SendBufferBytes?.Requested, point.SendBufferBytes?.Effective,
                point.ReceiveBufferBytes?.Requested,
                point.ReceiveBufferBytes?.Effective, point.WindowBytes, point.Connections, point.MessagesPerWrite, point.FailedBecause, point.RateHeld,
                point.Rounds, point.N, point.MeanUs, point.P50Us, p50?.LowUs, p50?.HighUs, point.P90Us, point.P99Us,
                p99?.LowUs, p99?.HighUs, point.P999Us, point.MaxUs, point.ThroughputPerSecond, point.ThroughputLowPerSecond, point.ThroughputHighPerSecond,
                point.ThroughputBytesPerSecond, point.SendBlockedShare, point.RwndLimitedShare, point.SndbufLimitedShare, point.CwndLimitedShare,
                point.BusyShare,
                point.SegmentsPerRequest, point.LongestSendUs, point.SendLatenessP99Us, point.StreamWindowBytes, point.RoundTripUs,
                point.FetchShare, point.SendCallShare, point.SendWaitShare, point.FetchOverlapShare, point.FetchOverlapSeenShare);
        }

        return table.ToString();
    }
}
