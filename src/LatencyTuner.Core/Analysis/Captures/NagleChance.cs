namespace LatencyTuner.Core.Analysis.Captures;

/// <summary>A segment first sent after a pure ACK emptied the pipe: released by it, or written then by chance.</summary>
internal readonly record struct NagleChance(long GapNs, NagleHold Hold);
