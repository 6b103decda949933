using System.CommandLine.Parsing;
using System.Globalization;
using LatencyTuner.Core;

namespace LatencyTuner.Hosting;

/// <summary>Durations, sizes, rates and counts as they are written on the command line, with their ranges.</summary>
internal static class Quantities
{
    private static readonly (string Unit, double Seconds)[] Times = [("us", 1e-6), ("ms", 1e-3), ("s", 1), ("m", 60), ("h", 3600), ("d", 86400)];
    private static readonly (string Unit, double Factor)[] Sizes = [
        ("KiB", 1024), ("MiB", 1 << 20), ("GiB", 1 << 30), ("kB", 1000), ("MB", 1e6), ("B", 1), ("", 1)];

    /// <summary>A duration such as <c>250ms</c>.</summary>
    public static TimeSpan Duration(string text, string option, TimeSpan least, TimeSpan most)
    {
        foreach ((string unit, double seconds) in Times)
        {
            if (text.EndsWith(unit, StringComparison.Ordinal) && Number(text[..^unit.Length]) is { } number)
            {
                double value = number * seconds;
                return value >= least.TotalSeconds && value <= most.TotalSeconds
                    ? TimeSpan.FromTicks((long)(value * TimeSpan.TicksPerSecond))
                    : throw Bad(option, text, $"a duration from {Format(least)} to {Format(most)}");
            }
        }

        throw Bad(option, text, $"a duration from {Format(least)} to {Format(most)}, such as 250ms, 10s or 2m");
    }

    /// <summary>A size in bytes such as <c>4KiB</c>.</summary>
    public static int Size(string text, string option, int least, int most) => (int)LongSize(text, option, least, most);

    /// <summary>A size in bytes that may be beyond 2 GiB.</summary>
    public static long LongSize(string text, string option, long least, long most)
    {
        foreach ((string unit, double factor) in Sizes)
        {
            if (text.EndsWith(unit, StringComparison.Ordinal) && Number(text[..^unit.Length]) is { } number)
            {
                double value = number * factor;
                return value >= least && value <= most && value == Math.Floor(value)
                    ? (long)value
                    : throw Bad(option, text, $"a size from {Format(least)} to {Format(most)}");
            }
        }

        throw Bad(option, text, $"a size from {Format(least)} to {Format(most)}, such as 64, 4KiB or 1MiB");
    }

    /// <summary>A rate such as <c>1000/s</c>; the <c>/s</c> may be left out.</summary>
    public static double Rate(string text, string option, double least, double most)
    {
        string number = text.EndsWith("/s", StringComparison.Ordinal) ? text[..^2] : text;
        return Number(number) is { } value && value >= least && value <= most
            ? value
            : throw Bad(option, text, $"a rate from {least:0.###}/s to {most:0}/s, such as {Math.Clamp(1000, least, most):0.###}/s");
    }

    /// <summary>A whole number without a unit.</summary>
    public static long Count(string text, string option, long least, long most) =>
        long.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out long value) && value >= least && value <= most
            ? value
            : throw Bad(option, text, $"a whole number from {least} to {most}");

    /// <summary>Values separated by commas, sorted: the one left to the system (null) first.</summary>
    public static IReadOnlyList<double?> List(string text, string option, Func<string, double?> parse)
    {
        const int Most = 100;
        double?[] values = [.. text.Split(',', StringSplitOptions.TrimEntries).Select(parse).Order()];
        return values.Length > Most ? throw Bad(option, text, $"a list of at most {Most} values")
            : values.Distinct().Count() < values.Length ? throw Bad(option, text, "a list with each value once")
            : values;
    }

    /// <summary>A share such as <c>1%</c> or <c>0.01</c>.</summary>
    public static double Share(string text, string option)
    {
        bool percent = text.EndsWith('%');
        return Number(percent ? text[..^1] : text) is { } number && (percent ? number / 100 : number) is >= 0 and <= 1 and var share
            ? share
            : throw Bad(option, text, "a share from 0 to 1, or from 0% to 100%");
    }

    /// <summary>Processor numbers such as <c>0,1</c>.</summary>
    public static IReadOnlyList<int> Processors(string text, string option)
    {
        string[] parts = text.Split(',', StringSplitOptions.TrimEntries);
        return parts.Length <= 2
            ? [.. parts.Select(p => (int)Count(p, option, 0, 4095))]
            : throw Bad(option, text, "one processor number, or two separated by a comma");
    }

    /// <summary>Turns a parse failure into the parser's own error, so that it is printed with the rest.</summary>
    public static T? Parse<T>(ArgumentResult result, Func<string, T> parse)
    {
        try
        {
            return parse(result.Tokens[0].Value);
        }
        catch (ExpectedFailureException e)
        {
            result.AddError(e.Message);
            return default;
        }
    }

    private static double? Number(string text) =>
        double.TryParse(text, NumberStyles.AllowDecimalPoint | NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out double value)
        && double.IsFinite(value)
            ? value
            : null;

    /// <summary>A size as it is written on the command line, such as <c>16MiB</c>.</summary>
    public static string Format(long bytes) => bytes switch
    {
        >= 1L << 30 when bytes % (1L << 30) == 0 => $"{bytes >> 30}GiB",
        >= 1 << 20 when bytes % (1 << 20) == 0 => $"{bytes >> 20}MiB",
        >= 1 << 10 when bytes % (1 << 10) == 0 => $"{bytes >> 10}KiB",
        _ => bytes.ToString(CultureInfo.InvariantCulture),
    };

    /// <summary>A duration as it is written on the command line, such as <c>250ms</c>.</summary>
    public static string Format(TimeSpan time) => time switch
    {
        { Ticks: 0 } => "0s",
        { TotalMilliseconds: < 1 } => $"{time.TotalMicroseconds:0}us",
        { TotalSeconds: < 1 } => $"{time.TotalMilliseconds:0}ms",
        { TotalHours: >= 1 } => $"{time.TotalHours:0.###}h",
        { TotalMinutes: >= 1 } when time.Seconds == 0 => $"{time.TotalMinutes:0.###}m",
        _ => $"{time.TotalSeconds:0.###}s",
    };

    private static ExpectedFailureException Bad(string option, string text, string valid) =>
        new(ExitCode.Usage, $"{option} '{text}' is not valid: {valid} is expected.");
}
