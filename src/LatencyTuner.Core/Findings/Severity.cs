using System.Text.Json.Serialization;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Findings;

/// <summary>What a finding costs, by measured time and never by opinion.</summary>
[JsonConverter(typeof(KebabCaseEnumConverter<Severity>))]
public enum Severity
{
    /// <summary>Under 5 % of the active time, or nothing waited.</summary>
    Info,

    /// <summary>From 5 % of the active time.</summary>
    Warning,

    /// <summary>From 20 % of the active time, or from three stalls of 100 ms and more in a minute.</summary>
    Error,
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
