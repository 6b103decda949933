namespace LatencyTuner.Core.Etw;

/// <summary>Limits of reading a trace.</summary>
public readonly record struct EtlReaderOptions
{
    /// <summary>Creates the default limits.</summary>
    public EtlReaderOptions()
    {
    }

    /// <summary>Threads that decompress buffers ahead of their use, 1 to 64; 1 decompresses where the events are read. 2 by default.</summary>
    public int Threads { get; init; } = 2;

    /// <summary>The largest trace that is unpacked from .zip or .gz, in bytes; it stays in memory. 512 MiB by default.</summary>
    public long MaxUnpackedBytes { get; init; } = 512L << 20;

    /// <summary>
    /// Bytes of decoded buffers held at the same time, beyond which events of more buffers that overlap in time are delivered out of order, and
    /// counted. 96 MiB by default. One buffer per processor is needed.
    /// </summary>
    public long MaxHeldBytes { get; init; } = 96L << 20;
}
