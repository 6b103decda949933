using LatencyTuner.Core.Reporting.Model;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Reporting.Pages;

/// <summary>The words that several documents share.</summary>
internal static class PageWords
{
    /// <summary>A target with the address that was used, when that says more than its name.</summary>
    internal static string Of(TargetDescription target)
    {
        string? endpoint = target.Address is null || target.Name.Contains(target.Address, StringComparison.Ordinal)
            ? target.Family
            : $"{target.Address}{(target.Port is { } port ? $" port {port}" : "")}{(target.Family is null ? "" : ", " + target.Family)}";
        return endpoint is null ? target.Name : $"{target.Name} ({endpoint})";
    }

    /// <summary>How the responder of a target was started for this run, with the address that answered; null where it ran already.</summary>
    internal static string? Started(TargetDescription target)
    {
        if (target.Via is not { } via)
        {
            return null;
        }

        string endpoint = $"{(target.Family == "IPv6" ? $"[{target.Address}]" : target.Address)}:{target.Port}";
        string listened = via.AllAddresses ? ", which listened on all addresses, with a token of this run" : "";
        string copied = via.CopySha256 is null ? "" : $"; a copy of this program was used and removed (SHA-256 {via.CopySha256})";
        return $"{target.Name} answered at {endpoint}, the direct path. '{via.Command}' only started and ended the responder there{listened}{copied}.";
    }

    /// <summary>The notes of a report, first how the responder of its target was started.</summary>
    internal static IReadOnlyList<string> Notes(TargetDescription target, IReadOnlyList<string> notes) =>
        Started(target) is { } started ? [started, .. notes] : notes;

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
            : options.Arrivals is { } arrivals ? $"open loop ({arrivals})" : oneWay ? "as fast as possible" : "closed loop";
        string connections = options.Connections == 1 ? "1 connection" : $"{options.Connections} connections";
        string inFlight = options.InFlight == 1 ? "" : $", {options.InFlight} requests in flight on each";
        return oneWay ? $"{request} one way, {pace}, {connections}" : $"{request}, {reply}, {pace}, {connections}{inFlight}";
    }

    /// <summary>When the report was made, and with which version on which system.</summary>
    internal static string Made(DateTimeOffset started, EnvironmentFigures? environment = null) =>
        environment is null ? Format.Utc(started) : $"{Format.Utc(started)}, latencytuner {environment.ToolVersion} on {environment.Os}";
}
