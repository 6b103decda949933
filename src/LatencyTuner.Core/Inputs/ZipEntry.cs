namespace LatencyTuner.Core.Inputs;

/// <summary>A file in a zip as its central directory describes it.</summary>
/// <param name="Name">Its name as the directory gives it.</param>
/// <param name="Method">Compression method: 0 is stored, 8 is deflate.</param>
/// <param name="IsEncrypted">True when the content is encrypted with a password.</param>
/// <param name="Crc">CRC-32 of the content.</param>
/// <param name="CompressedLength">Compressed length in the zip, bytes.</param>
/// <param name="Length">Length of the content, bytes.</param>
/// <param name="Offset">Offset of its local header.</param>
internal sealed record ZipEntry(string Name, ushort Method, bool IsEncrypted, uint Crc, long CompressedLength, long Length, long Offset);
