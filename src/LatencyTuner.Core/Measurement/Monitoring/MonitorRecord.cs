using System.Buffers;
using System.Buffers.Text;
using System.Text;
using LatencyTuner.Core.Histograms;
using LatencyTuner.Core.Inputs;

namespace LatencyTuner.Core.Measurement.Monitoring;

/// <summary>
/// One line of a stored series: CRC-32 of the rest in hex, start and length of the interval in milliseconds, errors, missed requests,
/// clock step in milliseconds, the target, the response times as a HdrHistogram V2 histogram in Base64 (<c>-</c> for none), and
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
        string histogram = interval.Response.Count == 0 ? "-" : Convert.ToBase64String(interval.Response.EncodeV2());
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
        bool whole = TryOpen(line, out ReadOnlySpan<byte> bytes);
        text = whole ? Encoding.ASCII.GetString(bytes) : "";
        return whole;
    }

    /// <summary>The text of a line, as bytes of it; false when the checksum does not match.</summary>
    internal static bool TryOpen(ReadOnlySpan<byte> line, out ReadOnlySpan<byte> text)
    {
        text = line.Length < 10 ? default : line[9..];
        return line.Length >= 10 && line[8] == ' ' && Utf8Parser.TryParse(line[..8], out uint crc, out int length, 'x') && length == 8
            && crc == Crc32.Append(0, text);
    }

    /// <summary>Reads a record; null for one that is not what <see cref="Write"/> writes.</summary>
    internal static MonitorReading? Read(ReadOnlySpan<byte> text)
    {
        Span<Range> parts = stackalloc Range[9];
        int count = Split(text, parts);
        if (count is not (7 or 8))
        {
            return null;
        }

        Span<long> numbers = stackalloc long[6];
        numbers.Clear();
        for (int i = 0; i < count - 2; i++)
        {
            ReadOnlySpan<byte> part = text[parts[i < 5 ? i : 7]];
            if (!Utf8Parser.TryParse(part, out numbers[i], out int length) || length != part.Length
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
            return Histogram(text[parts[6]]) is not { } histogram ? null : new MonitorReading(
                Encoding.ASCII.GetString(text[parts[5]]), DateTimeOffset.FromUnixTimeMilliseconds(numbers[0]), TimeSpan.FromMilliseconds(numbers[1]), histogram,
                (int)Math.Clamp(numbers[2], 0, int.MaxValue), (int)Math.Clamp(numbers[3], 0, int.MaxValue), TimeSpan.FromMilliseconds(numbers[4]),
                TimeSpan.FromMilliseconds(numbers[5]));
        }
        catch (Exception e) when (e is ExpectedFailureException or ArgumentException)
        {
            return null;
        }
    }

    private static DecodedBuckets? Histogram(ReadOnlySpan<byte> base64)
    {
        if (base64.SequenceEqual("-"u8))
        {
            return new DecodedBuckets();
        }

        byte[] bytes = ArrayPool<byte>.Shared.Rent(Base64.GetMaxDecodedFromUtf8Length(base64.Length));
        try
        {
            return Base64.DecodeFromUtf8(base64, bytes, out _, out int length) == OperationStatus.Done
                ? LatencyHistogram.DecodeBuckets(bytes.AsSpan(0, length)) : null;
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(bytes);
        }
    }

    /// <summary>The parts between blanks; as many as there is room for.</summary>
    private static int Split(ReadOnlySpan<byte> text, Span<Range> parts)
    {
        int count = 0;
        int from = 0;
        while (count < parts.Length)
        {
            int length = text[from..].IndexOf((byte)' ');
            parts[count++] = length < 0 ? from.. : from..(from + length);
            if (length < 0)
            {
                break;
            }

            from += length + 1;
        }

        return count;
    }
}
