using LatencyTuner.Core.Capture;
using LatencyTuner.Core.Measurement;

namespace LatencyTuner.Core.Analysis.Captures;

/// <summary>What all connections of one host say about its acknowledgements.</summary>
internal sealed class HostFacts(IpAddressValue address)
{
    // A host seen more often is known well enough.
    private const int MostHolds = 200_000;

    /// <summary>The coarse tick of older systems, nanoseconds.</summary>
    public const long TickNs = 100_000_000;

    private LatencyHistogram? _lateHolds;
    private double _cosines;
    private double _sines;

    public IpAddressValue Address { get; } = address;

    /// <summary>Acknowledgements by <see cref="AckClass"/>.</summary>
    public long[] Acks { get; } = new long[7];
    public long AcksAbove100Ms { get; set; }
    public long Connections { get; set; }

    /// <summary>Typical deviation of its answers, nanoseconds: the median over its parts would need them all, so the smallest.</summary>
    public long JitterNs { get; set; } = long.MaxValue;

    /// <summary>Delays of late pure ACKs beyond the path's own time; null when there was none.</summary>
    public LatencyHistogram? LateHolds => _lateHolds;

    /// <summary>How strongly the times of the late ACKs keep to one phase of a tick of 100 ms: 0 not at all, 1 exactly.</summary>
    public double TickPhase => _lateHolds is null ? 0 : Math.Sqrt((_cosines * _cosines) + (_sines * _sines)) / _lateHolds.Count;

    public void AddLate(long atNs, long delayNs)
    {
        _lateHolds ??= new LatencyHistogram();
        if (_lateHolds.Count < MostHolds)
        {
            _lateHolds.Record(delayNs);
            double phase = atNs % TickNs * (2 * Math.PI / TickNs);
            _cosines += Math.Cos(phase);
            _sines += Math.Sin(phase);
        }
    }
}
