namespace LatencyTuner.Core.Measurement.Platform;

/// <summary>Processor time used so far. Null where the system does not tell.</summary>
/// <param name="ProcessNs">By this process on all processors, nanoseconds.</param>
/// <param name="MachineBusyNs">By everything, summed over all processors, time taken by a hypervisor included, nanoseconds.</param>
/// <param name="MachineTotalNs">Busy and idle, summed over all processors, nanoseconds.</param>
public readonly record struct ProcessorTimes(long? ProcessNs, long? MachineBusyNs, long? MachineTotalNs);
