using LatencyTuner.Core.Etw;
using LatencyTuner.Core.Etw.Sessions;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Recordings;

namespace LatencyTuner.Hosting;

/// <summary>The options of a live trace.</summary>
internal sealed record LiveTraceRequest
{
    public required EtwProfile Profile { get; init; }

    public required TimeSpan Duration { get; init; }

    public required RecordingFilter Filter { get; init; }

    public required SeverityLimits Limits { get; init; }

    public required TraceBudget Budget { get; init; }

    public required TimeProvider Time { get; init; }

    /// <summary>The .etl to write, a full path; null for none.</summary>
    public string? File { get; init; }

    /// <summary>The size at which the file wraps around, in MiB.</summary>
    public int FileMB { get; init; }

    /// <summary>Called with the name of the session once its providers are enabled.</summary>
    public required Action<string> Begun { get; init; }

    /// <summary>Called with a sentence for the user, for example about a session that was removed.</summary>
    public required Action<string> Say { get; init; }

    /// <summary>Called about once a second with the findings so far.</summary>
    public required Action<LiveTraceState> Show { get; init; }
}
