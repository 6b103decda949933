using System.Text.Json.Serialization;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Findings;

/// <summary>What a finding costs, by measured time and never by opinion.</summary>
[JsonConverter(typeof(KebabCaseEnumConverter<Severity>))]
public enum Severity
{
    /// <summary>Under 5 % of the active time or under 1 ms a stall, nothing waited, or nobody's TCP is at fault.</summary>
    Info,

    /// <summary>From 5 % of the active time and 1 ms a stall.</summary>
    Warning,

    /// <summary>
    /// From 20 % of the active time, or from three stalls of 100 ms and more in a minute; at least 5 ms a stall, and the cause is more than possible.
    /// </summary>
    Error,
}

/// <summary>
/// The highest severity that a finding can have, whatever its share of the time: every finding asks here, so that no rule, recording or stored
/// document can show another.
/// </summary>
internal static class SeverityBounds
{
    /// <summary>Mean time lost by a stall from which a finding can be a warning, milliseconds.</summary>
    public const double WarningMs = 1;

    /// <summary>Mean time lost by a stall from which a finding can be an error, milliseconds.</summary>
    public const double ErrorMs = 5;

    /// <summary>Share (0 to 1) of the active time from which a single stall counts.</summary>
    public const double SingleShare = 0.01;

    /// <summary>The highest severity of a finding.</summary>
    /// <param name="finding">Its cause, confidence, count and cost.</param>
    public static Severity Highest(Finding finding)
    {
        // The path's round trip and the applications' own time are nobody's TCP fault.
        if (finding.Cause is Cause.NetworkRtt or Cause.ServerThink or Cause.ClientThink)
        {
            return Severity.Info;
        }

        Severity highest = finding.Confidence == Confidence.Possible ? Severity.Warning : Severity.Error;
        // Of the timers that expired only those count that something waited for.
        long stalls = finding.Harmful ?? finding.Count;
        if (!CountsStalls(finding.Cause) || finding.CostMs is not { } ms || stalls <= 0)
        {
            return highest;
        }

        double each = ms / stalls;
        return each < WarningMs || (stalls == 1 && finding.CostShare < SingleShare) ? Severity.Info
            : each < ErrorMs && highest > Severity.Warning ? Severity.Warning
            : highest;
    }

    /// <summary>True for a cause whose count is of waits; the others count samples, cycles or points.</summary>
    private static bool CountsStalls(Cause cause) => cause is Cause.NagleDelayedAck or Cause.NagleHold or Cause.DelayedAck or Cause.ReceiveWindow
        or Cause.ZeroWindow or Cause.CongestionWindow or Cause.SendBuffer or Cause.LossRto or Cause.LossFastRetransmit;
}

/// <summary>What makes a finding a warning or an error: what it cost, never opinion.</summary>
public sealed record SeverityLimits
{
    /// <summary>The default limits.</summary>
    public static readonly SeverityLimits Standard = new();

    /// <summary>Lost time as a share (0 to 1) of the active time from which a finding is a warning.</summary>
    public double WarningShare { get; init; } = 0.05;

    /// <summary>Lost time as a share (0 to 1) of the active time from which a finding is an error.</summary>
    public double ErrorShare { get; init; } = 0.20;

    /// <summary>A stall of at least this many milliseconds is a long one.</summary>
    public double LongStallMs { get; init; } = 100;

    /// <summary>Long stalls within a minute from which a finding is an error; at least 1.</summary>
    public int LongStallsPerMinute { get; init; } = 3;

    /// <summary>Gives the severity of a cost.</summary>
    /// <param name="costShare">Lost time as a share (0 to 1) of the active time.</param>
    /// <param name="longStalls">Stalls of <see cref="LongStallMs"/> and more.</param>
    /// <param name="elapsed">Time over which they were seen.</param>
    public Severity Of(double costShare, long longStalls, TimeSpan elapsed)
    {
        // That many stalls within a minute; over a longer time, at that rate.
        bool often = longStalls >= LongStallsPerMinute && longStalls >= LongStallsPerMinute * elapsed.TotalMinutes;
        return costShare >= ErrorShare || often ? Severity.Error : costShare >= WarningShare ? Severity.Warning : Severity.Info;
    }
}
