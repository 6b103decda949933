using System.Globalization;
using LatencyTuner.Core;
using LatencyTuner.Hosting;

namespace LatencyTuner.Commands;

/// <summary>The wait before the second target is used: a time, or else a percentile of the first target's own response times.</summary>
internal readonly record struct HedgeDelay(TimeSpan? Time, double Percentile)
{
    public static HedgeDelay Parse(string text, string option) =>
        !text.StartsWith('p') ? new HedgeDelay(Quantities.Duration(text, option, TimeSpan.Zero, TimeSpan.FromHours(1)), 0)
        : double.TryParse(text.AsSpan(1), NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out double percentile)
            && percentile is >= 1 and < 100 ? new HedgeDelay(null, percentile)
        : throw new ExpectedFailureException(
            ExitCode.Usage, $"{option} '{text}' is not valid: a time such as 20ms or a percentile from p1 to p99.9 is expected.");
}
