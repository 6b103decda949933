namespace LatencyTuner.Core.Measurement.Monitoring;

/// <summary>The CRC-32 of IEEE 802.3, as zip and PNG use it.</summary>
internal static class Crc32
{
    private static readonly uint[] Table = [.. Enumerable.Range(0, 256).Select(i =>
    {
        uint c = (uint)i;
        for (int k = 0; k < 8; k++) { c = (c & 1) != 0 ? 0xEDB88320 ^ (c >> 1) : c >> 1; } return c;
    })];

    internal static uint Of(ReadOnlySpan<byte> bytes)
    {
        uint crc = uint.MaxValue;
        foreach (byte b in bytes)
        {
            crc = Table[(byte)(crc ^ b)] ^ (crc >> 8);
        }

        return ~crc;
    }
}
