using LatencyTuner.Core.Analysis.Stalls;
using LatencyTuner.Core.Measurement;
using LatencyTuner.Core.Measurement.Protocol;
using LatencyTuner.Core.Measurement.Scheduling;
using LatencyTuner.Core.Sockets;
using LatencyTuner.Core.Statistics;

namespace LatencyTuner.Core.Reporting.Model;

/// <summary>Turns results into the figures of the published documents.</summary>
internal static class FigureBuilder
{
    internal static KernelFigures? Kernel(EndCounters? counters) => counters is null ? null : new KernelFigures
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

    internal static EndOptions End(EndState state, EndCounters? sawAcks, long exchanges, IReadOnlyList<int> pin) => new()
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

    internal static TargetDescription Target(MeasurementTarget target, string? software, string? os) => new()
    {
        Name = target.Name,
        Address = target.Endpoint.Address.ToString(),
        Port = target.Endpoint.Port,
        Family = target.Endpoint.AddressFamily == System.Net.Sockets.AddressFamily.InterNetworkV6 ? "IPv6" : "IPv4",
        ResponderVersion = software,
        ResponderOs = os,
        Via = target.Via is not { } via ? null : new ViaDescription { Command = via.Command, AllAddresses = via.AllAddresses, CopySha256 = via.CopySha256 },
    };

    /// <summary>How the ACK behaviour is known. Where the system cannot be queried, the number of ACKs sent is the only evidence.</summary>
    private static string? AckBasis(AckEffect effect, EndCounters? own, long exchanges) => effect switch
    {
        AckEffect.Immediate => "read back, and set again after every receive",
        AckEffect.Unknown when own?.PureAcksOut is { } acks && exchanges > 0 =>
            string.Create(
                System.Globalization.CultureInfo.InvariantCulture,
                $"the call succeeded, but its effect cannot be queried; this end sent {(double)acks / exchanges:0.00} pure ACKs per request"),
        AckEffect.Unknown => "the call succeeded, but its effect cannot be queried; only the latencies show it",
        AckEffect.Unsupported => "this system has no call for immediate ACKs, or refused it",
        _ => null,
    };

    /// <summary>The load of one end's machine.</summary>
    internal static HostFigures Host(HostUse use) => new()
    {
        Processors = use.Processors > 0 ? use.Processors : null,
        MachineBusyShare = RoundedShare(use.MachineBusyShare),
        ProcessProcessors = RoundedShare(use.ProcessProcessors),
        DelayCount = use.DelayCount,
        DelayP50Us = LatencyFigures.UsOrNull(use.DelayP50Ns),
        DelayP99Us = LatencyFigures.UsOrNull(use.DelayP99Ns),
        DelayMaxUs = LatencyFigures.UsOrNull(use.DelayMaxNs),
        GcCount = use.GcCount,
        GcPauseMs = use.GcPauseNs / 1e6,
    };

    private static double? RoundedShare(double? share) => share is { } value ? Math.Round(value, 4) : null;
}
