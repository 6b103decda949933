using LatencyTuner.Core.Capture;

namespace LatencyTuner.Fuzz;

/// <summary>What comes behind the decoder: all that looks at segments.</summary>
internal interface ISegmentAnalysis
{
    void Add(in TcpSegment segment);

    /// <summary>Everything up to the findings.</summary>
    void Finish();
}
