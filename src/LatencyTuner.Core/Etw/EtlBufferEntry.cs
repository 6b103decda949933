namespace LatencyTuner.Core.Etw;

/// <summary>Where a buffer is, and when its events begin.</summary>
/// <param name="Offset">Byte of the file.</param>
/// <param name="Size">Bytes in the file, its header included, as far as the file reaches.</param>
/// <param name="Valid">Bytes of header and events after decompression; of an uncompressed buffer as far as the file reaches.</param>
/// <param name="FirstTimestamp">Clock value of its first event.</param>
/// <param name="Order">Its place in the file, from 0.</param>
/// <param name="Processor">The processor it belonged to.</param>
/// <param name="IsCompressed">True when its events are compressed.</param>
internal readonly record struct EtlBufferEntry(long Offset, int Size, int Valid, long FirstTimestamp, int Order, int Processor, bool IsCompressed);
