using LatencyTuner.Core.Histograms;
using LatencyTuner.Core.Measurement.Loops;
using LatencyTuner.Core.Sockets;

namespace LatencyTuner.Core.Measurement.Experiments;

/// <summary>The results of one cell of the experiment over all rounds.</summary>
/// <param name="cell">The combination that was measured.</param>
public sealed class CellResult(ExperimentCell cell)
{
    /// <summary>The combination that was measured.</summary>
    public ExperimentCell Cell { get; } = cell;

    /// <summary>Response times.</summary>
    public LatencyHistogram Response { get; } = new();

    /// <summary>Response times minus the server's residence time.</summary>
    public LatencyHistogram Transport { get; } = new();

    /// <summary>Number of requests sent.</summary>
    public long Exchanges { get; private set; }

    /// <summary>Mean residence time at the server, nanoseconds.</summary>
    public double ServerMeanNs => Response.Count == 0 ? 0 : _residenceNs / Response.Count;

    /// <summary>Kernel counters of the client's connections.</summary>
    public IReadOnlyList<(KernelCounters Start, KernelCounters End)> Local => _local;

    /// <summary>Kernel counters of the server's connections.</summary>
    public IReadOnlyList<(KernelCounters Start, KernelCounters End)> Peer => _peer;

    /// <summary>The effect of the client's ACK setting.</summary>
    public AckEffect LocalAck { get; private set; }

    /// <summary>The effect of the server's ACK setting.</summary>
    public AckEffect PeerAck { get; private set; }

    /// <summary>TCP_NODELAY as read back: client, server.</summary>
    public (bool? Local, bool? Peer) NoDelay { get; private set; }

    private readonly List<(KernelCounters Start, KernelCounters End)> _local = [];
    private readonly List<(KernelCounters Start, KernelCounters End)> _peer = [];
    private double _residenceNs;

    internal void Add(MeasurementResult result)
    {
        Response.Add(result.Response);
        Transport.Add(result.Transport);
        Exchanges += result.Exchanges;
        _residenceNs += result.ResidenceNs;
        _local.AddRange(result.LocalCounters);
        _peer.AddRange(result.PeerCounters);
        // A round that ended early may have no state; the state from earlier rounds still applies.
        LocalAck = result.LocalState?.Ack ?? LocalAck;
        PeerAck = result.PeerState?.Ack ?? PeerAck;
        NoDelay = (result.LocalState?.NoDelay ?? NoDelay.Local, result.PeerState?.NoDelay ?? NoDelay.Peer);
    }
}
