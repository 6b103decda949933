using LatencyTuner.Core.Capture;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Recordings.Captures;
using LatencyTuner.Core.Recordings.Captures.Rules;

namespace LatencyTuner.Fuzz;

/// <summary>All that the analysis of a capture does behind the decoder, up to the findings.</summary>
internal sealed class WholeAnalysis : ISegmentAnalysis
{
    private readonly CaptureAnalyser _analyser = new();
    private readonly ConnectionTracker _tracker;

    public WholeAnalysis() => _tracker = new ConnectionTracker(_analyser);

    public void Add(in TcpSegment segment) => _tracker.Add(in segment);

    public void Finish()
    {
        _tracker.Finish();
        _analyser.Finish(_tracker.Silences);
        CaptureFindings.Of(new CaptureEvidence { Connections = _analyser.Connections, Hosts = _analyser.Hosts, Limits = SeverityLimits.Standard });
    }
}
