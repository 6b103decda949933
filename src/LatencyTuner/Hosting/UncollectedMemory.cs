namespace LatencyTuner.Hosting;

/// <summary>Memory that a process fills before the garbage collector runs for the first time.</summary>
internal static class UncollectedMemory
{
    // With this size, the peak memory of the analysis of a long capture stays the same; with a larger size it grows.
    private const long Bytes = 104L << 20;

    /// <summary>
    /// Reserves the memory, for work that keeps most of what it allocates: a collection would stop all threads and free little. Once the memory is used
    /// up, collections run as usual.
    /// </summary>
    public static void Reserve()
    {
        try
        {
            _ = GC.TryStartNoGCRegion(Bytes);
        }
        catch (Exception e) when (e is ArgumentOutOfRangeException or InvalidOperationException)
        {
            // The process may not have that much, or has reserved it already: collections run as usual.
        }
    }
}
