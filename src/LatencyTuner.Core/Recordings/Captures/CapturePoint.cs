using LatencyTuner.Core.Capture;

namespace LatencyTuner.Core.Recordings.Captures;

/// <summary>One place at which packets were captured, in one file or several that follow each other.</summary>
internal sealed class CapturePoint
{
    public CapturePoint(string path, RecordingFilter.ConnectionTest? filter, bool keepPrints)
    {
        Path = path;
        Paths = [path];
        Seen = keepPrints ? new SeenSegments() : null;
        Analyser = new CaptureAnalyser { KeepPrints = keepPrints, Filter = filter };
        Tracker = new ConnectionTracker(Analyser);
    }

    /// <summary>Its first file.</summary>
    public string Path { get; }

    public List<string> Paths { get; }

    /// <summary>Its segments, by which another capture of the same packets is recognised; null with a single file.</summary>
    public SeenSegments? Seen { get; }

    public CaptureAnalyser Analyser { get; }

    public ConnectionTracker Tracker { get; }

    /// <summary>Capture time of its first and its last packet so far, nanoseconds since 1970.</summary>
    public long FirstNs { get; set; } = long.MaxValue;
    public long LastNs { get; set; } = long.MinValue;
}
