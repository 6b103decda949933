using System.ComponentModel.DataAnnotations;
using System.Text.Json.Serialization;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Findings;

/// <summary>A cause with the side at fault, its cost, and what speaks for and against it.</summary>
public sealed record Finding
{
    private readonly string? _id;
    private readonly string? _countOf;
    private readonly Severity _severity;

    /// <summary>
    /// The stable id of its cause, for example <c>LT101</c>. A file of a newer version may hold an id that this version does not know.
    /// </summary>
    public string Id
    {
        get => _id ?? CauseIds.IdOf(Cause);
        init => _id = value;
    }

    /// <summary>The cause by name.</summary>
    public required Cause Cause { get; init; }

    /// <summary>The side at fault; null when unknown.</summary>
    [Required]
    public Side? Side { get; init; }

    /// <summary>The address of the host at fault.</summary>
    public string? Host { get; init; }

    /// <summary>The process at fault, where the evidence names one.</summary>
    public string? Process { get; init; }

    /// <summary>How sure the finding is: possible, likely or confirmed.</summary>
    public required Confidence Confidence { get; init; }

    /// <summary>
    /// How much time the finding costs: info, warning or error. Never above what its cause, its confidence and its time lost by a stall allow.
    /// </summary>
    public required Severity Severity
    {
        get => SeverityBounds.Highest(this) is var highest && _severity > highest ? highest : _severity;
        init => _severity = value;
    }

    /// <summary>How many times the cause was seen.</summary>
    [Range(0, double.MaxValue)]
    [Required]
    public long Count { get; init; }

    /// <summary>What <see cref="Count"/> counts: a noun in the singular, such as "stall".</summary>
    public string CountOf { get => _countOf ?? FindingWords.CountOf(Cause); init => _countOf = value; }

    /// <summary>How many times the delayed-ACK timer expired, harmful or not; null where it does not apply.</summary>
    [Range(0, double.MaxValue)]
    public long? Fired { get; init; }

    /// <summary>How many times the delayed-ACK timer was set; null where the evidence does not show it.</summary>
    [Range(0, double.MaxValue)]
    public long? Armed { get; init; }

    /// <summary>The time for which it was set most often, milliseconds; null where the evidence does not show it.</summary>
    [Range(0, double.MaxValue)]
    public double? ArmedMs { get; init; }

    /// <summary>How many of these expirations held up a sender; null where it does not apply.</summary>
    [Range(0, double.MaxValue)]
    public long? Harmful { get; init; }

    /// <summary>The time lost in milliseconds over the whole evidence; null when unknown.</summary>
    [Required]
    public double? CostMs { get; init; }

    /// <summary>
    /// True when <see cref="CostMs"/> adds up times of requests that overlap, so that it may exceed the time that passed. Divide it by
    /// <see cref="Count"/>, or use <see cref="CostShare"/>.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public bool CostOverlaps { get; init; }

    /// <summary>
    /// The time lost as a share (0 to 1) of the active time; for LT142, of the time from request to request. Null when unknown.
    /// </summary>
    [Required]
    public double? CostShare { get; init; }

    /// <summary>The connections on which the cause was seen.</summary>
    [Required]
    public IReadOnlyList<string> Connections { get; init; } = [];

    /// <summary>The evidence for it, a sentence each.</summary>
    [Required]
    public IReadOnlyList<string> For { get; init; } = [];

    /// <summary>The evidence against it, a sentence each.</summary>
    [Required]
    public IReadOnlyList<string> Against { get; init; } = [];

    /// <summary>False when the meaning of its events is known only from their manifest and no real trace has confirmed it.</summary>
    public bool Verified { get; init; } = true;

    /// <summary>The measured target, as the user named it; null where the document that holds the finding names it.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? Target { get; init; }

    /// <summary>The id of the setting that the finding is about; null when it is about none.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? Setting { get; init; }

    /// <summary>The file that the finding was read from; null when it was not read from a file.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? File { get; init; }

    /// <summary>
    /// What its cure would bring, for each target or connection, the largest saving first; empty where nothing cures the cause or its effect is unknown.
    /// </summary>
    public IReadOnlyList<CurePrediction> Predictions { get; init; } = [];

    /// <summary>Makes the figures of each connection, where they are known; null where not. All of them, also those that are not named.</summary>
    internal Func<IReadOnlyList<FindingPart>>? Parts { get; init; }

    /// <summary>What to do, in a sentence or two; null when there is nothing to do.</summary>
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
    /// <summary>Orders by severity, then by cost, highest first; then by id and host, so that equal evidence always gives the same order.</summary>
    /// <param name="findings">Any findings.</param>
    public static IOrderedEnumerable<Finding> WorstFirst(this IEnumerable<Finding> findings) =>
        findings.OrderByDescending(f => f.Severity).ThenByDescending(f => f.CostMs ?? 0).ThenBy(f => f.Id, StringComparer.Ordinal)
            .ThenBy(f => f.Host, StringComparer.Ordinal);
}

/// <summary>Where the cause of a finding is.</summary>
[JsonConverter(typeof(KebabCaseEnumConverter<Side>))]
public enum Side
{
    /// <summary>The end that opened the connection.</summary>
    Client,

    /// <summary>The end that accepted the connection.</summary>
    Server,

    /// <summary>The path between them.</summary>
    Network,

    /// <summary>One machine, whichever role it has.</summary>
    Host,
}
