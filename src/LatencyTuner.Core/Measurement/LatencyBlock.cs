namespace LatencyTuner.Core.Measurement;

/// <summary>One time block of a run, without its buckets (see <see cref="LatencyBlocks.Decode(int)"/>).</summary>
/// <param name="StartNs">Start of the block, nanoseconds on the run's clock.</param>
/// <param name="EndNs">End of the block on the same clock.</param>
/// <param name="Count">Recorded values.</param>
/// <param name="MinNs">Smallest value, exact; 0 when nothing was recorded.</param>
/// <param name="MaxNs">Largest value, exact; 0 when nothing was recorded.</param>
public readonly record struct LatencyBlock(long StartNs, long EndNs, long Count, long MinNs, long MaxNs);
