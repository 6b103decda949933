using System.Runtime.CompilerServices;

namespace LatencyTuner.Core.Capture;

/// <summary>As many SACK blocks as the options of one segment can hold.</summary>
[InlineArray(Most)]
internal struct SackBlocks
{
    public const int Most = 4;

    private SackBlock _first;
}
