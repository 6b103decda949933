namespace LatencyTuner.Core.Inputs;

/// <summary>A file in a zip as its central directory describes it.</summary>
/// <param name="Name">Its name, as written there.</param>
/// <param name="Method">0 stored, 8 deflate.</param>
/// <param name="IsEncrypted">True when its bytes are of no use without a password.</param>
/// <param name="Crc">Checksum of what it holds.</param>
/// <param name="CompressedLength">Bytes in the zip.</param>
/// <param name="Length">Bytes of what it holds.</param>
/// <param name="Offset">Where its local header begins.</param>
internal sealed record ZipEntry(string Name, ushort Method, bool IsEncrypted, uint Crc, long CompressedLength, long Length, long Offset);
