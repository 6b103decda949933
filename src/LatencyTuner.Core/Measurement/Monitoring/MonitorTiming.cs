using LatencyTuner.Core.Histograms;

namespace LatencyTuner.Core.Measurement.Monitoring;

/// <summary>The delays that the monitor itself adds: how late it sent requests, and how long answers waited before it read them. Thread-safe.</summary>
public sealed class MonitorTiming
{
    private readonly object _gate = new();

    /// <summary>From the planned time to the send, for requests that waited only for this machine.</summary>
    public LatencyHistogram SendLateness { get; } = new();

    /// <summary>
    /// Upper bound of the time that an answer waited unread because the thread that asks many targets was busy with another one; no values
    /// for targets with a thread of their own.
    /// </summary>
    public LatencyHistogram ReceiveLateness { get; } = new();

    internal void Sent(long latenessNs)
    {
        lock (_gate)
        {
            SendLateness.Record(Math.Max(0, latenessNs));
        }
    }

    internal void Received(long latenessNs)
    {
        lock (_gate)
        {
            ReceiveLateness.Record(Math.Max(0, latenessNs));
        }
    }
}
