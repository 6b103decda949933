using System.Globalization;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Reporting.Figures;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Reporting.Pages;

/// <summary>The words that several documents share.</summary>
internal static class Words
{
    /// <summary>A cause as a reader says it.</summary>
    internal static string Of(Cause cause) => cause switch
    {
        Cause.None => "no stall",
        Cause.CannotTell => "cannot tell",
        Cause.NagleDelayedAck => "Nagle + delayed ACK",
        Cause.NagleHold => "Nagle hold",
        Cause.DelayedAck => "delayed ACK",
        Cause.ReceiveWindow => "receive window",
        Cause.ZeroWindow => "zero window",
        Cause.CongestionWindow => "congestion window",
        Cause.SendBuffer => "send buffer",
        Cause.SmallSegments => "small segments",
        Cause.LossRto => "loss, timeout",
        Cause.LossFastRetransmit => "loss, fast retransmit",
        Cause.Reordering => "reordering",
        Cause.NetworkRtt => "network round trip",
        Cause.Bufferbloat => "bufferbloat",
        Cause.ServerThink => "server processing",
        Cause.ClientThink => "client pauses",
        Cause.Oscillation => "oscillation",
        Cause.LevelShift => "level shift",
        Cause.LoadInversion => "load inversion",
        Cause.SettingNotRecommended => "setting not recommended",
        Cause.SettingHasNoEffect => "setting has no effect",
        Cause.SettingMisplaced => "setting misplaced",
        Cause.SettingConflict => "setting conflict",
        Cause.EvidenceIncomplete => "evidence incomplete",
        _ => throw new ArgumentOutOfRangeException(nameof(cause), cause, "Not a cause."),
    };

    /// <summary>The published word of an enum's value.</summary>
    internal static string Kebab<TEnum>(TEnum value)
        where TEnum : struct, Enum => System.Text.Json.JsonNamingPolicy.KebabCaseLower.ConvertName(value.ToString());

    /// <summary>A side as a reader says it.</summary>
    internal static string Of(Side? side) => side switch
    {
        Side.Client => "client",
        Side.Server => "server",
        Side.Network => "network",
        Side.Host => "host",
        _ => "not told",
    };

    /// <summary>A confidence as a reader says it.</summary>
    internal static string Of(Confidence confidence) => confidence switch
    {
        Confidence.Confirmed => "confirmed",
        Confidence.Likely => "likely",
        _ => "possible",
    };

    /// <summary>A severity as a reader says it.</summary>
    internal static string Of(Severity severity) => severity switch
    {
        Severity.Error => "error",
        Severity.Warning => "warning",
        _ => "info",
    };

    /// <summary>A target with the address that was used, when that says more than its name.</summary>
    internal static string Of(TargetDescription target)
    {
        string? endpoint = target.Address is null || target.Name.Contains(target.Address, StringComparison.Ordinal)
            ? target.Family
            : $"{target.Address}{(target.Port is { } port ? $" port {port}" : "")}{(target.Family is null ? "" : ", " + target.Family)}";
        return endpoint is null ? target.Name : $"{target.Name} ({endpoint})";
    }

    /// <summary>The workload in one line: sizes, writes, pacing, connections.</summary>
    internal static string Workload(RequestedOptions options, bool oneWay = false)
    {
        string request = $"{(oneWay ? "messages of" : "request")} {Format.Bytes(options.SizeBytes)}";
        if (options.WritesBytes.Count > 1)
        {
            request += $" in {options.WritesBytes.Count} writes ({string.Join(" + ", options.WritesBytes)} B)";
        }

        string reply = $"reply {Format.Bytes(options.ReplySizeBytes)}" + (options.PeerWrites > 1 ? $" in {options.PeerWrites} writes" : "");
        string pace = options.RatePerSecond is { } rate ? $"open loop {Format.Rate(rate)} ({options.Arrivals ?? "constant"})"
            : options.Arrivals is { } arrivals ? $"open loop ({arrivals})" : oneWay ? "as fast as they go" : "closed loop";
        string connections = options.Connections == 1 ? "1 connection" : $"{options.Connections} connections";
        string inFlight = options.InFlight == 1 ? "" : $", {options.InFlight} in flight each";
        return oneWay ? $"{request} one way, {pace}, {connections}" : $"{request}, {reply}, {pace}, {connections}{inFlight}";
    }

    /// <summary>A timer as it is known: 40 ms, not 40.0 ms.</summary>
    internal static string Timer(double ms) => ms.ToString("0.##", CultureInfo.InvariantCulture) + " ms";

    /// <summary>How and when it was made.</summary>
    internal static string Made(DateTimeOffset started, EnvironmentFigures? environment = null) =>
        environment is null ? Format.Utc(started) : $"{Format.Utc(started)}, latencytuner {environment.ToolVersion} on {environment.Os}";

    /// <summary>The first letter in upper case.</summary>
    internal static string Sentence(string text) => text.Length == 0 ? text : char.ToUpperInvariant(text[0]) + text[1..];
}
