using LatencyTuner.Core.Analysis.Stalls;
using LatencyTuner.Core.Measurement;
using LatencyTuner.Core.Measurement.Protocol;
using LatencyTuner.Core.Sockets;
using LatencyTuner.Core.Statistics;

namespace LatencyTuner.Core.Reporting.Model;

/// <summary>Turns results into the figures of the published documents.</summary>
internal static class FigureBuilder
{
    internal static LatencyFigures Of(LatencySummary summary) => new()
    {
        Count = summary.Count,
        EffectiveCount = summary.Count > 0 ? Math.Round(summary.EffectiveCount, 1) : null,
        MinUs = summary.Count > 0 ? Us(summary.MinNs) : null,
        MeanUs = summary.Count > 0 ? Us(summary.Mean.ValueNs) : null,
        StdevUs = summary.Count > 0 ? Us(summary.StandardDeviationNs) : null,
        P10Us = UsOrNull(summary.P10.ValueNs),
        P50Us = UsOrNull(summary.P50.ValueNs),
        P90Us = UsOrNull(summary.P90.ValueNs),
        P99Us = UsOrNull(summary.P99.ValueNs),
        P999Us = UsOrNull(summary.P999.ValueNs),
        P9999Us = UsOrNull(summary.P9999.ValueNs),
        MaxUs = summary.Count > 0 ? Us(summary.MaxNs) : null,
        Intervals = summary.Count == 0 ? [] : new Dictionary<string, IntervalFigures>
        {
            ["meanUs"] = new() { LowUs = Us(summary.Mean.LowNs), HighUs = summary.Mean.HighNs is { } high ? Us(high) : null },
            ["p10Us"] = Interval(summary.P10),
            ["p50Us"] = Interval(summary.P50),
            ["p90Us"] = Interval(summary.P90),
            ["p99Us"] = Interval(summary.P99),
            ["p99_9Us"] = Interval(summary.P999),
            ["p99_99Us"] = Interval(summary.P9999),
        },
    };

    internal static IntervalFigures Interval(PercentileEstimate estimate) => new()
    {
        LowUs = Us(estimate.LowNs),
        HighUs = UsOrNull(estimate.HighNs),
        AtLeastUs = UsOrNull(estimate.AtLeastNs),
    };

    /// <summary>Nanoseconds to microseconds, to the nanosecond.</summary>
    internal static double Us(double ns) => Math.Round(ns / 1e3, 3);

    internal static double? UsOrNull(long? ns) => ns is { } value ? Us((double)value) : null;

    internal static KernelFigures? Of(EndCounters? counters) => counters is null ? null : new KernelFigures
    {
        Source = counters.Source,
        RttUs = counters.RttUs,
        MinRttUs = counters.MinRttUs,
        RetransmittedSegments = counters.RetransmittedSegments,
        RetransmittedBytes = counters.RetransmittedBytes,
        RwndLimitedMs = counters.RwndLimitedUs / 1e3,
        SndbufLimitedMs = counters.SndbufLimitedUs / 1e3,
        CwndLimitedMs = counters.CwndLimitedUs / 1e3,
        BusyMs = counters.BusyUs / 1e3,
        SegmentsOut = counters.SegmentsOut,
        SegmentsIn = counters.SegmentsIn,
        PureAcksIn = counters.PureAcksIn,
        PureAcksOut = counters.PureAcksOut,
        MssBytes = (int?)counters.MssBytes,
    };

    internal static EndOptions Of(EndState state, EndCounters? sawAcks, long exchanges, IReadOnlyList<int> pin) => new()
    {
        NoDelay = state.NoDelay,
        Ack = state.Ack switch
        {
            AckEffect.Default => "default",
            AckEffect.Immediate => "immediate",
            AckEffect.Unknown => "unknown",
            _ => "unsupported",
        },
        AckBasis = AckBasis(state.Ack, sawAcks, exchanges),
        SendBufferBytes = state.SendBuffer,
        ReceiveBufferBytes = state.ReceiveBuffer,
        Spin = state.Spin,
        Pin = state.Pin is { } own ? [own] : pin,
    };

    internal static TargetDescription Of(MeasurementTarget target, string? software, string? os) => new()
    {
        Name = target.Name,
        Address = target.Endpoint.Address.ToString(),
        Port = target.Endpoint.Port,
        Family = target.Endpoint.AddressFamily == System.Net.Sockets.AddressFamily.InterNetworkV6 ? "IPv6" : "IPv4",
        ResponderVersion = software,
        ResponderOs = os,
    };

    /// <summary>Where no query exists, the ACKs that were sent are the only witness.</summary>
    private static string? AckBasis(AckEffect effect, EndCounters? own, long exchanges) => effect switch
    {
        AckEffect.Immediate => "read back, and asked for again after every receive",
        AckEffect.Unknown when own?.PureAcksOut is { } acks && exchanges > 0 =>
            string.Create(
                System.Globalization.CultureInfo.InvariantCulture,
                $"the call succeeded and cannot be queried; this end sent {(double)acks / exchanges:0.00} ACKs without data per request"),
        AckEffect.Unknown => "the call succeeded and cannot be queried; judge by the latencies",
        AckEffect.Unsupported => "this system has no such call or refused it",
        _ => null,
    };
}
