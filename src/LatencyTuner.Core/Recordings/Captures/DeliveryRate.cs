namespace LatencyTuner.Core.Recordings.Captures;

/// <summary>How fast a path carries data, by the ACKs that follow each other closely.</summary>
internal static class DeliveryRate
{
    /// <summary>The time that each byte takes on the path, nanoseconds: half of the bytes arrived at least as fast. 0 when unknown.</summary>
    public static double NsPerByte(IEnumerable<SideOfConnection> sides)
    {
        (float NsPerByte, int Bytes)[] delivered = [.. sides.SelectMany(s => s.Facts.Delivered.All).OrderBy(d => d.NsPerByte)];
        long left = delivered.Sum(d => (long)d.Bytes) / 2;
        foreach ((float nsPerByte, int bytes) in delivered)
        {
            left -= bytes;
            if (left <= 0)
            {
                return nsPerByte;
            }
        }

        return 0;
    }
}
