using LatencyTuner.Core.Etw.Sessions;
using LatencyTuner.Core.Recordings.Traces;

namespace LatencyTuner.Hosting;

/// <summary>The state of a live trace: time since its start, findings, losses and events per second.</summary>
internal sealed record LiveTraceState(TimeSpan Elapsed, LiveFindings Found, SessionLosses Losses, double EventsPerSecond);
