namespace LatencyTuner.Hosting;

/// <summary>Memory that a process fills before the collector runs for the first time.</summary>
internal static class UncollectedMemory
{
    // With it, the analysis of a long capture still has its peak where it has it anyway; with more it has not.
    private const long Bytes = 104L << 20;

    /// <summary>
    /// Asks for it. For what keeps most of what it allocates: collecting that stops all threads and frees little. Once the memory is used up, collections
    /// go on as usual.
    /// </summary>
    public static void Reserve()
    {
        try
        {
            _ = GC.TryStartNoGCRegion(Bytes);
        }
        catch (Exception e) when (e is ArgumentOutOfRangeException or InvalidOperationException)
        {
            // The process may not have that much, or has it already: it collects as usual.
        }
    }
}
