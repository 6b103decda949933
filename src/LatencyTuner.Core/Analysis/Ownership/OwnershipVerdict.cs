using System.Text.Json.Serialization;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Analysis.Ownership;

/// <summary>The owner of a time: the one that certainly accounts for more than half of it.</summary>
internal sealed record OwnershipVerdict
{
    /// <summary>The owner, nobody, or cannot tell.</summary>
    public required Owner Owner { get; init; }

    /// <summary>The reason for the verdict, or why there is no owner, one to three sentences.</summary>
    public required string Because { get; init; }

    /// <summary>Number of requests that were judged.</summary>
    public int Count { get; init; }

    /// <summary>The percentile above which the judged requests lie; null for the usual response time.</summary>
    public double? AbovePercentile { get; init; }

    /// <summary>The shares of the three owners; empty where there is nothing to divide.</summary>
    public IReadOnlyList<OwnerShare> Shares { get; init; } = [];
}

/// <summary>One request's response time by owner, nanoseconds.</summary>
/// <param name="Client">Late sends, waits of the measuring thread for a processor, garbage collections, and pauses of the machine itself.</param>
/// <param name="Server">The server's residence time and waits of the serving thread for a processor.</param>
/// <param name="Network">The rest: the path and both kernels.</param>
/// <param name="Tcp">The part of that rest that TCP itself made at an end, as a finding says.</param>
internal readonly record struct OwnedTimes(double Client, double Server, double Network, double Tcp = 0)
{
    /// <summary>The response time.</summary>
    public double Total => Client + Server + Network + Tcp;

    internal double Of(Owner owner) => owner switch { Owner.Client => Client, Owner.Server => Server, Owner.Tcp => Tcp, _ => Network };
}

/// <summary>Whose time it is.</summary>
[JsonConverter(typeof(KebabCaseEnumConverter<Owner>))]
public enum Owner
{
    /// <summary>The evidence does not show the owner.</summary>
    CannotTell,

    /// <summary>Nobody: there is no time to assign.</summary>
    None,

    /// <summary>The measuring program and its machine: late sends, waits for a processor, garbage collections.</summary>
    Client,

    /// <summary>The responder and its machine: its own processing, waits for a processor.</summary>
    Server,

    /// <summary>The path, and the work of both kernels for it; only captures could separate the two.</summary>
    Network,

    /// <summary>Waits that TCP itself made at an end: Nagle's algorithm for an ACK that comes late. Known where a finding says so.</summary>
    Tcp,
}

/// <summary>The share of one owner in a time.</summary>
/// <param name="Owner">Client, server, network or TCP itself.</param>
/// <param name="Share">Share (0 to 1).</param>
/// <param name="Low">Lower end of its 95 % interval.</param>
/// <param name="High">Upper end of its 95 % interval.</param>
/// <param name="MeanNs">Mean for each request, nanoseconds.</param>
internal readonly record struct OwnerShare(Owner Owner, double Share, double Low, double High, double MeanNs);
