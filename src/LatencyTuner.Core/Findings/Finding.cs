using System.ComponentModel.DataAnnotations;
using System.Text.Json.Serialization;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Findings;

/// <summary>A cause with the side at fault, its cost, and what speaks for and against it.</summary>
public sealed record Finding
{
    private readonly string? _id;

    /// <summary>
    /// Stable id, <c>LT101</c> and so on: that of its cause. A file of a newer version may bring one that this version does not know.
    /// </summary>
    public string Id
    {
        get => _id ?? CauseIds.IdOf(Cause);
        init => _id = value;
    }

    /// <summary>The cause by name.</summary>
    public required Cause Cause { get; init; }

    /// <summary>The side at fault; null when it could not be told.</summary>
    [Required]
    public Side? Side { get; init; }

    /// <summary>The address of the host at fault.</summary>
    public string? Host { get; init; }

    /// <summary>The process at fault, where the evidence names one.</summary>
    public string? Process { get; init; }

    /// <summary>How sure.</summary>
    public required Confidence Confidence { get; init; }

    /// <summary>How much it costs.</summary>
    public required Severity Severity { get; init; }

    /// <summary>How many times it was seen.</summary>
    [Range(0, double.MaxValue)]
    [Required]
    public long Count { get; init; }

    /// <summary>Delayed-ACK firings, harmful or not; null where it does not apply.</summary>
    [Range(0, double.MaxValue)]
    public long? Fired { get; init; }

    /// <summary>Firings that something waited for; null where it does not apply.</summary>
    [Range(0, double.MaxValue)]
    public long? Harmful { get; init; }

    /// <summary>The time lost in milliseconds over the whole evidence; null when it could not be told.</summary>
    [Required]
    public double? CostMs { get; init; }

    /// <summary>
    /// The time lost as a share (0 to 1) of the active time, of pauses (LT142) of the time from request to request; null when it could not be told.
    /// </summary>
    [Required]
    public double? CostShare { get; init; }

    /// <summary>The connections concerned.</summary>
    [Required]
    public IReadOnlyList<string> Connections { get; init; } = [];

    /// <summary>The evidence for it, a sentence each.</summary>
    [Required]
    public IReadOnlyList<string> For { get; init; } = [];

    /// <summary>The evidence against it, a sentence each.</summary>
    [Required]
    public IReadOnlyList<string> Against { get; init; } = [];

    /// <summary>False when it rests on events whose meaning only a manifest tells, and which no real trace has confirmed.</summary>
    public bool Verified { get; init; } = true;

    /// <summary>What was measured, by the name that was given; null where the document it stands in says so.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? Target { get; init; }

    /// <summary>The file it was read from; null where it was not.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? File { get; init; }

    /// <summary>What to do, in a sentence.</summary>
    public string? Recommendation { get; init; }
}

/// <summary>How sure a finding is. A setting alone never gives more than <see cref="Possible"/>.</summary>
[JsonConverter(typeof(KebabCaseEnumConverter<Confidence>))]
public enum Confidence
{
    /// <summary>Consistent with the evidence, mechanism not seen.</summary>
    Possible,

    /// <summary>The mechanism was seen; something that would exclude the alternatives is missing.</summary>
    Likely,

    /// <summary>The mechanism was seen and switching it off removed the effect, or both ends were seen.</summary>
    Confirmed,
}

/// <summary>The order in which findings are listed everywhere.</summary>
internal static class FindingOrder
{
    /// <summary>The severest first; of these the costliest, then by id and host, so that equal evidence always reads the same.</summary>
    /// <param name="findings">Any findings.</param>
    public static IOrderedEnumerable<Finding> WorstFirst(this IEnumerable<Finding> findings) =>
        findings.OrderByDescending(f => f.Severity).ThenByDescending(f => f.CostMs ?? 0).ThenBy(f => f.Id, StringComparer.Ordinal)
            .ThenBy(f => f.Host, StringComparer.Ordinal);
}

/// <summary>Where the cause of a finding lives.</summary>
[JsonConverter(typeof(KebabCaseEnumConverter<Side>))]
public enum Side
{
    /// <summary>The end that connected.</summary>
    Client,

    /// <summary>The end that accepted.</summary>
    Server,

    /// <summary>The path between them.</summary>
    Network,

    /// <summary>One machine, whichever role it has.</summary>
    Host,
}
