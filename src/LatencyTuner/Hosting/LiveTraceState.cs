using LatencyTuner.Core.Etw.Sessions;
using LatencyTuner.Core.Recordings.Traces;

namespace LatencyTuner.Hosting;

/// <summary>A live trace at a moment.</summary>
internal sealed record LiveTraceState(TimeSpan Elapsed, LiveFindings Found, SessionLosses Losses, double EventsPerSecond);
