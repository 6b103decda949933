using LatencyTuner.Core.Etw;
using LatencyTuner.Core.Etw.Sessions;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Recordings;

namespace LatencyTuner.Hosting;

/// <summary>A live trace as the user asks for it.</summary>
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

    /// <summary>The file wraps around at this.</summary>
    public int FileMB { get; init; }

    /// <summary>Told the name of the session once its providers are enabled.</summary>
    public required Action<string> Begun { get; init; }

    /// <summary>Told what is worth a line, such as a session that was removed.</summary>
    public required Action<string> Say { get; init; }

    /// <summary>Told the findings so far, about each second.</summary>
    public required Action<LiveTraceState> Show { get; init; }
}
