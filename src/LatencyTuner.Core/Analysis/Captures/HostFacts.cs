using LatencyTuner.Core.Capture;
using LatencyTuner.Core.Measurement;

namespace LatencyTuner.Core.Analysis.Captures;

/// <summary>What all connections of one host say about its acknowledgements.</summary>
internal sealed class HostFacts(IpAddressValue address)
{
    // A host seen more often is known well enough.
    private const int MostHolds = 200_000;

    private LatencyHistogram? _lateHolds;

    public IpAddressValue Address { get; } = address;

    /// <summary>Acknowledgements by <see cref="AckClass"/>.</summary>
    public long[] Acks { get; } = new long[7];
    public long AcksAbove100Ms { get; set; }
    public long Connections { get; set; }

    /// <summary>Typical deviation of its answers, nanoseconds: the median over its parts would need them all, so the smallest.</summary>
    public long JitterNs { get; set; } = long.MaxValue;

    /// <summary>Delays of late pure ACKs beyond the path's own time; null when there was none.</summary>
    public LatencyHistogram? LateHolds => _lateHolds;

    public void AddLate(long delayNs)
    {
        _lateHolds ??= new LatencyHistogram();
        if (_lateHolds.Count < MostHolds)
        {
            _lateHolds.Record(delayNs);
        }
    }
}
