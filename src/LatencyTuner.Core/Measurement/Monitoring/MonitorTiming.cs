using LatencyTuner.Core.Histograms;

namespace LatencyTuner.Core.Measurement.Monitoring;

/// <summary>What the monitor itself adds: how late requests left, and how long answers lay before they were looked at. Thread-safe.</summary>
public sealed class MonitorTiming
{
    private readonly object _gate = new();

    /// <summary>From the planned time to the send, of requests that waited for nothing but this machine.</summary>
    public LatencyHistogram SendLateness { get; } = new();

    /// <summary>
    /// At most so long an answer lay unseen, because the thread that asks many targets was busy with another one; no figures for targets
    /// with a thread of their own.
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
