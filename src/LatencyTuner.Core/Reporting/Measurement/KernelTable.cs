using LatencyTuner.Core.Reporting.Model;
using LatencyTuner.Core.Reporting.Pages;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Reporting.Measurement;

/// <summary>The kernel counters of both ends; figures that neither kernel reports are left out.</summary>
internal static class KernelTable
{
    internal static TableBlock? Of(MeasurementReport report)
    {
        (KernelFigures? local, KernelFigures? peer) = (report.Kernel.Local, report.Kernel.Peer);
        if (local is null && peer is null)
        {
            return null;
        }

        List<IReadOnlyList<TableCell>> rows = new();
        void Add(string label, Func<KernelFigures, string?> figure)
        {
            (string? l, string? p) = (local is null ? null : figure(local), peer is null ? null : figure(peer));
            if (l is not null || p is not null)
            {
                rows.Add([new(label), new(l ?? Format.Unknown), new(p ?? Format.Unknown)]);
            }
        }

        string? PerRequest(long? count) => count is not { } n ? null
            : report.Received == 0 ? Format.Count(n)
            : $"{Format.Count(n)} ({Format.Number(n / (double)report.Received)} per request)";
        Add("smoothed RTT", k => Time(k.RttUs));
        Add("minimum RTT", k => Time(k.MinRttUs));
        Add(
            "retransmitted",
            k => k.RetransmittedSegments is { } segments ? Counted.Of(segments, "segment") : k.RetransmittedBytes is { } bytes ? Format.Bytes(bytes)
                : null);
        Add("limited by receive window", k => Time(k.RwndLimitedMs * 1000));
        Add("limited by send buffer", k => Time(k.SndbufLimitedMs * 1000));
        Add("limited by congestion window", k => Time(k.CwndLimitedMs * 1000));
        Add("data outstanding", k => Time(k.BusyMs * 1000));
        Add("segments sent", k => PerRequest(k.SegmentsOut));
        Add("segments received", k => PerRequest(k.SegmentsIn));
        Add("pure ACKs sent", k => PerRequest(k.PureAcksOut));
        Add("pure ACKs received", k => PerRequest(k.PureAcksIn));
        Add("maximum segment size", k => k.MssBytes is { } mss ? $"{Format.Count(mss)} B" : null);
        return rows.Count == 0
            ? null
            : new TableBlock(
                [new(""), new("client", Right: true), new("server", Right: true)],
                rows,
                $"Source: {SourceOf(local?.Source, peer?.Source)}; over {Counted.Of(report.Received, "request")}.");
    }

    private static string? Time(double? us) => us is null ? null : us == 0 ? "0" : Format.Us(us);

    private static string SourceOf(string? client, string? server) =>
        client == server ? $"{client} at both ends" : $"client {client ?? "none"}, server {server ?? "none"}";
}
