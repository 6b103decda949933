namespace LatencyTuner.Core.Capture;

/// <summary>Comparisons modulo 2^32 (RFC 9293 3.4).</summary>
internal static class SequenceNumber
{
    /// <summary>How far <paramref name="a"/> is beyond <paramref name="b"/>; negative when before.</summary>
    public static int Beyond(uint a, uint b) => (int)(a - b);

    public static bool Less(uint a, uint b) => (int)(a - b) < 0;

    public static bool LessOrEqual(uint a, uint b) => (int)(a - b) <= 0;
}
