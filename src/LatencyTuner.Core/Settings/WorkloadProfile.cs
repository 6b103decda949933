namespace LatencyTuner.Core.Settings;

/// <summary>What the machine is to be good at; decides which values are recommended.</summary>
public enum WorkloadProfile
{
    /// <summary>Small requests whose time counts, at the price of processor time.</summary>
    LowLatency,

    /// <summary>What Windows is made for.</summary>
    Balanced,

    /// <summary>Bytes per second.</summary>
    Throughput,
}
