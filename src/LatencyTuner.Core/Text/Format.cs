using System.Globalization;

namespace LatencyTuner.Core.Text;

/// <summary>Figures for people: three significant digits, a unit that keeps them short, invariant culture, ASCII only.</summary>
internal static class Format
{
    private static readonly (string Unit, double Us)[] TimeUnits = [("ns", 1e-3), ("us", 1), ("ms", 1e3), ("s", 1e6)];

    /// <summary>The text for an unknown value.</summary>
    internal const string Unknown = "-";

    /// <summary>A time given in microseconds.</summary>
    internal static string Us(double? us) => us is { } value ? In(value, UnitOf(value)) : Unknown;

    /// <summary>A time given in milliseconds.</summary>
    internal static string Ms(double? ms) => Us(ms * 1000);

    /// <summary>A time given in milliseconds that may be long: from 100 s on in minutes, hours, days or years.</summary>
    internal static string Span(double ms)
    {
        double seconds = ms / 1000;
        return seconds switch
        {
            < 100 => Ms(ms),
            < 2 * 3600 => $"{Number(seconds / 60)} min",
            < 2 * 86_400 => $"{Number(seconds / 3600)} h",
            < 2 * 365.25 * 86_400 => $"{Number(seconds / 86_400)} days",
            _ => $"{Number(seconds / (365.25 * 86_400))} years",
        };
    }

    /// <summary>A range of times in microseconds; the unit appears once when both ends share it.</summary>
    internal static string Range(double lowUs, double highUs)
    {
        ((string Unit, double Us) low, (string Unit, double Us) high) = (UnitOf(lowUs), UnitOf(highUs));
        return low == high || lowUs == 0 ? $"{Ends(lowUs / high.Us, highUs / high.Us)} {high.Unit}" : $"{In(lowUs, low)} to {In(highUs, high)}";
    }

    /// <summary>The 95 % interval of a figure in parentheses behind it; nothing where both ends look the same with the digits shown.</summary>
    internal static string Between(string low, string high) => low == high ? "" : $" ({low} to {high}, 95 %)";

    /// <summary>A round time, for example an axis label or a timer: no trailing zeros.</summary>
    internal static string RoundUs(double us) => $"{Trim(us / UnitOf(us).Us)} {UnitOf(us).Unit}";

    /// <summary>A range between round bounds.</summary>
    internal static string RoundRange(double lowUs, double highUs)
    {
        ((string Unit, double Us) low, (string Unit, double Us) high) = (UnitOf(lowUs), UnitOf(highUs));
        return low == high ? $"{Trim(lowUs / low.Us)} to {RoundUs(highUs)}" : $"{RoundUs(lowUs)} to {RoundUs(highUs)}";
    }

    /// <summary>A range shown below a value: without units where both ends have the unit of the value.</summary>
    internal static string RangeBelow(double figureUs, double lowUs, double highUs)
    {
        (string Unit, double Us) unit = UnitOf(figureUs);
        return UnitOf(lowUs) == unit && UnitOf(highUs) == unit ? Ends(lowUs / unit.Us, highUs / unit.Us) : Range(lowUs, highUs);
    }

    /// <summary>A difference of times in microseconds, with its sign.</summary>
    internal static string Difference(double us) => (us > 0 ? "+" : "") + Us(us);

    /// <summary>A count with thousands separators.</summary>
    internal static string Count(long count) => count.ToString("N0", CultureInfo.InvariantCulture);

    /// <summary>Events per second.</summary>
    internal static string Rate(double perSecond) =>
        (Math.Abs(perSecond) >= 100 ? perSecond.ToString("N0", CultureInfo.InvariantCulture) : Number(perSecond)) + "/s";

    /// <summary>A share from 0 to 1 in percent. A share above 0 and below 1 is never shown as 0 % or 100 %.</summary>
    internal static string Share(double? share)
    {
        if (share is not { } value)
        {
            return Unknown;
        }

        if (value is > 0 and < 0.0001)
        {
            return "< 0.01 %";
        }

        if (value is > 0.9999 and < 1)
        {
            return "> 99.99 %";
        }

        double percent = value * 100;
        string format = Math.Abs(percent) switch { 0 or 100 => "0", < 1 or > 99.9 => "0.##", < 10 or > 99 => "0.#", _ => "0" };
        return percent.ToString(format, CultureInfo.InvariantCulture) + " %";
    }

    /// <summary>A size in bytes, in KiB or MiB where it is a round number of them.</summary>
    internal static string Bytes(long bytes) => bytes switch
    {
        >= 1 << 20 when bytes % (1 << 20) == 0 => $"{bytes >> 20} MiB",
        >= 1 << 10 when bytes % (1 << 10) == 0 => $"{bytes >> 10} KiB",
        >= 10_000 => Number(bytes / 1024.0) + " KiB",
        _ => $"{bytes} B",
    };

    /// <summary>Bytes per second in the unit that gives a short number.</summary>
    internal static string BytesPerSecond(double? value) => value switch
    {
        null or 0 => Unknown,
        >= 1e9 => Number(value.Value / 1e9) + " GB/s",
        >= 1e6 => Number(value.Value / 1e6) + " MB/s",
        >= 1e3 => Number(value.Value / 1e3) + " kB/s",
        _ => Number(value.Value) + " B/s",
    };

    /// <summary>A number that a user gave, with thousands separators and at most two decimals.</summary>
    internal static string Plain(double value) => value.ToString("#,0.##", CultureInfo.InvariantCulture);

    /// <summary>A bare number, short: 1500, 20k, 1.5M.</summary>
    internal static string Compact(double value) => value switch
    {
        >= 1e6 => Trim(value / 1e6) + "M",
        >= 1e4 => Trim(value / 1e3) + "k",
        _ => Trim(value),
    };

    /// <summary>A moment in UTC.</summary>
    internal static string Utc(DateTimeOffset time) => time.UtcDateTime.ToString("yyyy-MM-dd HH:mm:ss", CultureInfo.InvariantCulture) + " UTC";

    /// <summary>A time in seconds since 1970, which may lie beyond what a date can be: the first or the last one then.</summary>
    internal static DateTimeOffset UtcOf(double unixSeconds)
    {
        const double First = -62_135_596_800;
        const double Last = 253_402_300_799;
        return DateTimeOffset.FromUnixTimeMilliseconds((long)Math.Round(Math.Clamp(unixSeconds, First, Last) * 1e3));
    }

    /// <summary>Three significant digits, no exponent.</summary>
    internal static string Number(double value)
    {
        double size = Math.Abs(value);
        string format = size switch { 0 => "0", < 0.0995 => "0.###", < 9.995 => "0.00", < 99.95 => "0.0", _ => "#,0" };
        return value.ToString(format, CultureInfo.InvariantCulture);
    }

    // A narrow interval gets enough digits to show that its ends differ.
    private static string Ends(double low, double high)
    {
        if (low == high)
        {
            return Number(low);
        }

        if (Number(low) != Number(high))
        {
            return $"{Number(low)} to {Number(high)}";
        }

        (string? from, string? to) = ("", "");
        for (int decimals = 1; decimals <= 4 && from == to; decimals++)
        {
            (from, to) = (low.ToString("F" + decimals, CultureInfo.InvariantCulture), high.ToString("F" + decimals, CultureInfo.InvariantCulture));
        }

        return from == to ? Number(low) : $"{from} to {to}";
    }

    private static string Trim(double value) => value.ToString("0.###", CultureInfo.InvariantCulture);

    private static string In(double us, (string Unit, double Us) unit) => $"{Number(us / unit.Us)} {unit.Unit}";

    private static (string Unit, double Us) UnitOf(double us)
    {
        double size = Math.Abs(us);
        return size == 0 ? TimeUnits[1] : TimeUnits.Last(u => size >= u.Us * 0.9995 || u.Unit == "ns");
    }

    /// <summary>The published word of an enum's value.</summary>
    internal static string Kebab<TEnum>(TEnum value)
        where TEnum : struct, Enum => System.Text.Json.JsonNamingPolicy.KebabCaseLower.ConvertName(value.ToString());

    /// <summary>A timer as it is usually written: 40 ms, not 40.0 ms.</summary>
    internal static string Milliseconds(double ms) => ms.ToString("0.##", CultureInfo.InvariantCulture) + " ms";

    /// <summary>The first letter in upper case.</summary>
    internal static string Sentence(string text) => text.Length == 0 ? text : char.ToUpperInvariant(text[0]) + text[1..];
}
