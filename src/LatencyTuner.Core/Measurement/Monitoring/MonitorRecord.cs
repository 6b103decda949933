using System.Globalization;
using System.Text;
using LatencyTuner.Core.Histograms;
using LatencyTuner.Core.Inputs;

namespace LatencyTuner.Core.Measurement.Monitoring;

/// <summary>
/// One line of a stored series: CRC-32 of the rest in hex, start and length of the interval in milliseconds, errors, missed requests,
/// clock step in milliseconds, the target, the response times as a HdrHistogram V2 compressed histogram in Base64 (<c>-</c> for none), and
/// how many milliseconds the machine was suspended or not scheduled after the interval, if it was.
/// </summary>
internal static class MonitorRecord
{
    /// <summary>The first line of every file begins with it.</summary>
    internal const string Magic = "LTMONITOR1";

    // An interval is an hour at most; a year is a damaged record, whatever its checksum.
    private const long LongestMs = 366L * 86_400_000;

    internal static byte[] Write(MonitorInterval interval)
    {
        string histogram = interval.Response.Count == 0 ? "-" : Convert.ToBase64String(interval.Response.EncodeCompressedV2());
        string still = interval.StoodStill > TimeSpan.Zero ? $" {interval.StoodStill.TotalMilliseconds:0}" : "";
        return Sealed(
            $"{interval.StartUtc.ToUnixTimeMilliseconds()} {interval.Duration.TotalMilliseconds:0} {interval.Errors} {interval.Missed} "
            + $"{interval.ClockStep.TotalMilliseconds:0} {interval.Target} {histogram}{still}");
    }

    /// <summary>A line with its checksum and line feed.</summary>
    internal static byte[] Sealed(string text) => Encoding.ASCII.GetBytes($"{Crc32.Append(0, Encoding.ASCII.GetBytes(text)):x8} {text}\n");

    /// <summary>The text of a line, without its line feed; false when the checksum does not match.</summary>
    internal static bool TryOpen(ReadOnlySpan<byte> line, out string text)
    {
        text = "";
        if (line.Length < 10 || line[8] != ' '
            || !uint.TryParse(Encoding.ASCII.GetString(line[..8]), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out uint crc)
            || crc != Crc32.Append(0, line[9..]))
        {
            return false;
        }

        text = Encoding.ASCII.GetString(line[9..]);
        return true;
    }

    /// <summary>Reads a record; null for one that is not what <see cref="Write"/> writes.</summary>
    internal static MonitorInterval? Read(string text)
    {
        string[] parts = text.Split(' ');
        if (parts.Length is not (7 or 8))
        {
            return null;
        }

        long[] numbers = new long[6];
        for (int i = 0; i < parts.Length - 2; i++)
        {
            if (!long.TryParse(parts[i < 5 ? i : 7], NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out numbers[i])
                || numbers[i] is > 10_000_000_000_000 or < -10_000_000_000_000)
            {
                return null;
            }
        }

        if (numbers[1] is < 0 or > LongestMs)
        {
            return null;
        }

        try
        {
            LatencyHistogram histogram = parts[6] == "-" ? new LatencyHistogram() : LatencyHistogram.DecodeCompressedV2(Convert.FromBase64String(parts[6]));
            return new MonitorInterval(
                parts[5], DateTimeOffset.FromUnixTimeMilliseconds(numbers[0]), TimeSpan.FromMilliseconds(numbers[1]), histogram,
                (int)Math.Clamp(numbers[2], 0, int.MaxValue),
                (int)Math.Clamp(numbers[3], 0, int.MaxValue), TimeSpan.FromMilliseconds(numbers[4]), null)
            { StoodStill = TimeSpan.FromMilliseconds(numbers[5]) };
        }
        catch (Exception e) when (e is FormatException or ExpectedFailureException or ArgumentException)
        {
            return null;
        }
    }
}
