using System.Runtime.CompilerServices;

namespace LatencyTuner.Core.Capture;

/// <summary>As many SACK blocks as the options of one segment can hold.</summary>
[InlineArray(Most)]
internal struct SackBlockBuffer
{
    public const int Most = 4;

    private SackBlock _first;
}

/// <summary>One block of a SACK option (RFC 2018): received bytes from <paramref name="Left"/> to before <paramref name="Right"/>.</summary>
internal readonly record struct SackBlock(uint Left, uint Right);
