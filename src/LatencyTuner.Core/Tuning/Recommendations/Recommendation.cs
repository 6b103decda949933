using System.ComponentModel.DataAnnotations;
using System.Text.Json.Serialization;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Tuning.Recommendations;

/// <summary>What to do, where, its effect and cost, and how to prove and undo it. A recommendation changes nothing.</summary>
public sealed record Recommendation
{
    /// <summary>
    /// Stable id: <c>REC-</c>, what is cured, and the means, such as <c>REC-NAGLE-NODELAY</c>; for a setting that stands out the finding and
    /// the setting, such as <c>REC-LT201-GLOBAL.RSS</c>.
    /// </summary>
    public required string Id { get; init; }

    /// <summary>The kind of change, for example code or a socket option.</summary>
    public required RecommendationKind Kind { get; init; }

    /// <summary>The cure in a line.</summary>
    public required string Title { get; init; }

    /// <summary>Why it works, or what stands out, a sentence.</summary>
    public required string What { get; init; }

    /// <summary>The end where it is done; null when unknown.</summary>
    public Side? Side { get; init; }

    /// <summary>Where to do it, in words.</summary>
    public required string Where { get; init; }

    /// <summary>Address or name of the host where it is done; null when unknown.</summary>
    public string? Host { get; init; }

    /// <summary>The target that was measured; null when the recommendation rests on no measurement.</summary>
    public string? Target { get; init; }

    /// <summary>The applications that it concerns, a phrase; null when the measured workload itself is concerned.</summary>
    public string? AppliesTo { get; init; }

    /// <summary>The effect of the recommendation, and how it is known.</summary>
    public required RecommendedEffect Effect { get; init; }

    /// <summary>How certain the recommendation is.</summary>
    public required Confidence Confidence { get; init; }

    /// <summary>What the recommendation costs, a phrase.</summary>
    public required string TradeOff { get; init; }

    /// <summary>What the change applies to, for example one socket or all connections of an interface.</summary>
    public required string Scope { get; init; }

    /// <summary>When the change takes effect, a phrase.</summary>
    public required string TakesEffect { get; init; }

    /// <summary>Id of the setting; null when the code itself is changed.</summary>
    public string? SettingId { get; init; }

    /// <summary>The value to set; null when there is none.</summary>
    public string? Value { get; init; }

    /// <summary>The current values in the snapshot; empty without a snapshot or a setting.</summary>
    public IReadOnlyList<CurrentSetting> Current { get; init; } = [];

    /// <summary>How to do it: commands or steps.</summary>
    public IReadOnlyList<string> How { get; init; } = [];

    /// <summary>Code or configuration that does it, one for each language.</summary>
    public IReadOnlyList<CodeSnippet> Snippets { get; init; } = [];

    /// <summary>How to prove that it helped.</summary>
    public required string Prove { get; init; }

    /// <summary>How to undo it.</summary>
    public required string Undo { get; init; }

    /// <summary>What is not proven, or what the reader must know before, a sentence each.</summary>
    public IReadOnlyList<string> Caveats { get; init; } = [];

    /// <summary>Ids of the findings that it rests on.</summary>
    public IReadOnlyList<string> Findings { get; init; } = [];

    /// <summary>The files that the findings and the effect come from.</summary>
    public IReadOnlyList<string> Files { get; init; } = [];

    /// <summary>Where the facts come from.</summary>
    public IReadOnlyList<string> Sources { get; init; } = [];

    /// <summary>True when the recommended value is already set: nothing is left to do.</summary>
    [JsonIgnore]
    public bool IsDone => Current.Count > 0 && Current.All(c => c.State == CurrentState.AlreadySet);
}

/// <summary>How a recommendation is done in one language or product.</summary>
/// <param name="Language">The word of the command line: <c>c</c>, <c>csharp</c>, <c>java</c>, <c>go</c>, <c>python</c>, <c>grpc</c>,
/// <c>netfx</c>, <c>iis</c>, <c>sql</c>.</param>
/// <param name="Text">Code, configuration or notes; lines end in LF.</param>
public sealed record CodeSnippet(string Language, string Text)
{
    /// <summary>All languages and products, in the order in which they are listed.</summary>
    public static IReadOnlyList<string> Languages { get; } = ["c", "csharp", "java", "go", "python", "grpc", "netfx", "iis", "sql"];
}

/// <summary>A value of the snapshot beside the recommended one.</summary>
public sealed record CurrentSetting
{
    /// <summary>Id of the setting.</summary>
    public required string SettingId { get; init; }

    /// <summary>GUID of the interface; null when it belongs to none.</summary>
    public string? Interface { get; init; }

    /// <summary>The name of the interface, with its first address; null when it belongs to none.</summary>
    public string? InterfaceName { get; init; }

    /// <summary>The TCP template; null when it belongs to none.</summary>
    public string? Template { get; init; }

    /// <summary>How the value compares with the recommended one.</summary>
    public required CurrentState State { get; init; }

    /// <summary>The value; null when absent or unknown.</summary>
    public string? Value { get; init; }

    /// <summary>Why the state is unknown, or what else the reader must know about the value, a clause; null for nothing.</summary>
    public string? Because { get; init; }
}

/// <summary>How a value of a snapshot compares with the recommended one.</summary>
[JsonConverter(typeof(KebabCaseEnumConverter<CurrentState>))]
public enum CurrentState
{
    /// <summary>The recommended value is already set.</summary>
    AlreadySet,

    /// <summary>No value is set: the default applies.</summary>
    Absent,

    /// <summary>Another value is set.</summary>
    Differs,

    /// <summary>The value is unknown, or it is unknown whether it applies.</summary>
    Unknown,
}

/// <summary>What an effect rests on.</summary>
[JsonConverter(typeof(KebabCaseEnumConverter<EffectBasis>))]
public enum EffectBasis
{
    /// <summary>It was measured with the remedy in place.</summary>
    Measured,

    /// <summary>The mechanism says so; the cost it removes was measured.</summary>
    Expected,

    /// <summary>Nothing was measured that it would change.</summary>
    Unknown,
}

/// <summary>A finding, or a verdict, that no setting cures: what it means and where to look.</summary>
public sealed record Explanation
{
    /// <summary>Id of the finding; null for a verdict without one.</summary>
    public string? FindingId { get; init; }

    /// <summary>The target that was measured; null when the report names no target.</summary>
    public string? Target { get; init; }

    /// <summary>The file it comes from.</summary>
    public required string File { get; init; }

    /// <summary>What the finding or verdict means, one or more sentences.</summary>
    public required string Text { get; init; }

    /// <summary>The recommendations that do not apply, by id.</summary>
    public IReadOnlyList<string> DoesNotApply { get; init; } = [];

    /// <summary>Where to look instead, a sentence; null for nowhere.</summary>
    public string? LookAt { get; init; }
}

/// <summary>What a recommendation does, and how that is known.</summary>
public sealed record RecommendedEffect
{
    /// <summary>How the effect is known: measured, expected or unknown.</summary>
    public required EffectBasis Basis { get; init; }

    /// <summary>
    /// Milliseconds saved per request: at the median where it was measured, the mean where it was predicted. Per stall where neither is known. Null when
    /// unknown.
    /// </summary>
    public double? SavesMs { get; init; }

    /// <summary>Median before in microseconds; null when not measured.</summary>
    public double? P50UsBefore { get; init; }

    /// <summary>Median after in microseconds; null when not measured.</summary>
    public double? P50UsAfter { get; init; }

    /// <summary>Lower end of the 95 % interval of the median after, in microseconds.</summary>
    public double? P50UsAfterLow { get; init; }

    /// <summary>Upper end of the 95 % interval of the median after, in microseconds.</summary>
    public double? P50UsAfterHigh { get; init; }

    /// <summary>99th percentile before in microseconds; null where none was predicted.</summary>
    public double? P99UsBefore { get; init; }

    /// <summary>99th percentile after in microseconds; null with too few samples.</summary>
    public double? P99UsAfter { get; init; }

    /// <summary>Requests measured without it; null when not measured.</summary>
    [Range(0, double.MaxValue)]
    public long? NBefore { get; init; }

    /// <summary>Requests measured with it; null when not measured.</summary>
    [Range(0, double.MaxValue)]
    public long? N { get; init; }

    /// <summary>The file it comes from; null when from none.</summary>
    public string? File { get; init; }

    /// <summary>Why the effect is as stated, a clause; null where the figures say it.</summary>
    public string? Because { get; init; }

    /// <summary>The effect in a clause.</summary>
    internal string InBrief => this switch
    {
        { P50UsBefore: { } before, P50UsAfter: { } after } =>
            $"median {Format.Us(before)} -> {Format.Us(after)}, "
            + (P99UsBefore is { } tail ? $"99th percentile {Format.Us(tail)} -> {Format.Us(P99UsAfter)}, " : "")
            + (Basis == EffectBasis.Measured ? "measured" : "expected"),
        { SavesMs: { } saves } => $"saves about {Format.Ms(saves)} per {(NBefore is null ? "wait" : "request")}, expected",
        _ => "effect unknown",
    };
}

/// <summary>How a setting is changed on a host, and what is there now.</summary>
/// <param name="Current">The current values in the snapshot.</param>
/// <param name="How">Commands or steps.</param>
/// <param name="Caveats">What is unknown, a sentence each.</param>
/// <param name="Scope">What the change applies to, where that differs from the cure's own scope; null where not.</param>
internal sealed record SettingChange(IReadOnlyList<CurrentSetting> Current, IReadOnlyList<string> How, IReadOnlyList<string> Caveats, string? Scope = null);
