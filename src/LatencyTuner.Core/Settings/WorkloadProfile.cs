namespace LatencyTuner.Core.Settings;

/// <summary>The kind of workload of a machine; decides which values are recommended.</summary>
public enum WorkloadProfile
{
    /// <summary>Small requests with short response times, at the cost of processor time.</summary>
    LowLatency,

    /// <summary>Mixed workloads: what the defaults of Windows suit.</summary>
    Balanced,

    /// <summary>Bulk data: as many bytes per second as possible.</summary>
    Throughput,
}
