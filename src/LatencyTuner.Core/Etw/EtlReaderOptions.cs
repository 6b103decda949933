namespace LatencyTuner.Core.Etw;

/// <summary>Limits for reading a trace.</summary>
public readonly record struct EtlReaderOptions
{
    /// <summary>Creates the default limits.</summary>
    public EtlReaderOptions()
    {
    }

    /// <summary>Number of threads that decompress buffers in advance, 1 to 64; with 1, the reading thread decompresses. 2 by default.</summary>
    public int Threads { get; init; } = 2;

    /// <summary>The largest trace that is unpacked from .zip or .gz, in bytes; it stays in memory. 512 MiB by default.</summary>
    public long MaxUnpackedBytes { get; init; } = 512L << 20;

    /// <summary>
    /// Largest size of decoded buffers in memory, in bytes. Above it, events of further buffers that overlap in time are delivered out of order and
    /// counted. 96 MiB by default. At least one buffer per processor is needed.
    /// </summary>
    public long MaxHeldBytes { get; init; } = 96L << 20;
}
