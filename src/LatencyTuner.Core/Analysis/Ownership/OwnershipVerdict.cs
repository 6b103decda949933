using System.Text.Json.Serialization;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Analysis.Ownership;

/// <summary>Who owns a time: more than half of it for certain.</summary>
internal sealed record OwnershipVerdict
{
    /// <summary>The owner, nobody, or cannot tell.</summary>
    public required Owner Owner { get; init; }

    /// <summary>What it rests on, or why it cannot be told, a sentence.</summary>
    public required string Because { get; init; }

    /// <summary>Requests that were judged.</summary>
    public int Count { get; init; }

    /// <summary>The percentile above which they lie; null when all of them do.</summary>
    public double? AbovePercentile { get; init; }

    /// <summary>The three owners; empty where there is nothing to share out.</summary>
    public IReadOnlyList<OwnerShare> Shares { get; init; } = [];
}

/// <summary>One request's response time by owner, nanoseconds.</summary>
/// <param name="Client">Late sends, waits of the measuring thread for a processor, collections, and while the machine itself stood.</param>
/// <param name="Server">The server's residence time and waits of the serving thread for a processor.</param>
/// <param name="Network">The rest: the path and both kernels.</param>
internal readonly record struct OwnedTimes(double Client, double Server, double Network)
{
    /// <summary>The response time.</summary>
    public double Total => Client + Server + Network;

    internal double Of(Owner owner) => owner switch { Owner.Client => Client, Owner.Server => Server, _ => Network };
}

/// <summary>Whose time it is.</summary>
[JsonConverter(typeof(KebabCaseEnumConverter<Owner>))]
public enum Owner
{
    /// <summary>The evidence does not tell.</summary>
    CannotTell,

    /// <summary>Nobody's: there is nothing to own.</summary>
    None,

    /// <summary>The measuring program and its machine: late sends, waits for a processor, collections.</summary>
    Client,

    /// <summary>The responder and its machine: its own time, waits for a processor.</summary>
    Server,

    /// <summary>The path, and what both kernels do for it, which cannot be parted from it without captures.</summary>
    Network,
}

/// <summary>What one owner holds of a time.</summary>
/// <param name="Owner">Client, server or network.</param>
/// <param name="Share">Share (0 to 1).</param>
/// <param name="Low">Lower end of its 95 % interval.</param>
/// <param name="High">Upper end.</param>
/// <param name="MeanNs">Mean for each request, nanoseconds.</param>
internal readonly record struct OwnerShare(Owner Owner, double Share, double Low, double High, double MeanNs);
