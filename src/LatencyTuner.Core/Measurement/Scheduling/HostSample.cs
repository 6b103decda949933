using LatencyTuner.Core.Measurement.Platform;

namespace LatencyTuner.Core.Measurement.Scheduling;

/// <summary>One look at what this machine and this process do.</summary>
internal sealed record HostSample(long Timestamp, ProcessorTimes Processors, DelayCounts Delays, TimeSpan GcPause, int GcCount);
