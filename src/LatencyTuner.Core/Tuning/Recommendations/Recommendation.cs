using System.Text.Json.Serialization;
using LatencyTuner.Core.Analysis;

namespace LatencyTuner.Core.Tuning.Recommendations;

/// <summary>What to do, where, what it brings and costs, and how to prove and undo it. Nothing is changed by it.</summary>
public sealed record Recommendation
{
    /// <summary>
    /// Stable id: <c>REC-</c>, what is cured, and the means, such as <c>REC-NAGLE-NODELAY</c>; for a setting that stands out the finding and
    /// the setting, such as <c>REC-LT201-GLOBAL.RSS</c>.
    /// </summary>
    public required string Id { get; init; }

    /// <summary>What is changed.</summary>
    public required RecommendationKind Kind { get; init; }

    /// <summary>The cure in a line.</summary>
    public required string Title { get; init; }

    /// <summary>Why it works, or what stands out, a sentence.</summary>
    public required string What { get; init; }

    /// <summary>The end where it is done; null when it could not be told.</summary>
    public Side? Side { get; init; }

    /// <summary>Where to do it, in words.</summary>
    public required string Where { get; init; }

    /// <summary>Address or name of the host where it is done; null when unknown.</summary>
    public string? Host { get; init; }

    /// <summary>What was measured; null when it rests on no measurement.</summary>
    public string? Target { get; init; }

    /// <summary>The applications that it concerns, a phrase; null when the measured workload itself is concerned.</summary>
    public string? AppliesTo { get; init; }

    /// <summary>What it brings.</summary>
    public required RecommendedEffect Effect { get; init; }

    /// <summary>How sure.</summary>
    public required Confidence Confidence { get; init; }

    /// <summary>What it costs.</summary>
    public required string TradeOff { get; init; }

    /// <summary>How far it reaches.</summary>
    public required string Scope { get; init; }

    /// <summary>When it is in force.</summary>
    public required string TakesEffect { get; init; }

    /// <summary>Id of the setting; null when the code itself is changed.</summary>
    public string? SettingId { get; init; }

    /// <summary>The value to set; null when there is none.</summary>
    public string? Value { get; init; }

    /// <summary>The values there are; empty without a snapshot or a setting.</summary>
    public IReadOnlyList<CurrentSetting> Current { get; init; } = [];

    /// <summary>How to do it: commands or steps.</summary>
    public IReadOnlyList<string> How { get; init; } = [];

    /// <summary>How it is done in code.</summary>
    public IReadOnlyList<CodeSnippet> Snippets { get; init; } = [];

    /// <summary>How to prove that it helped.</summary>
    public required string Prove { get; init; }

    /// <summary>How to undo it.</summary>
    public required string Undo { get; init; }

    /// <summary>What is not proven, or must be known before, a sentence each.</summary>
    public IReadOnlyList<string> Caveats { get; init; } = [];

    /// <summary>Ids of the findings that it rests on.</summary>
    public IReadOnlyList<string> Findings { get; init; } = [];

    /// <summary>The files that they come from.</summary>
    public IReadOnlyList<string> Files { get; init; } = [];

    /// <summary>Where the facts come from.</summary>
    public IReadOnlyList<string> Sources { get; init; } = [];

    /// <summary>True when the recommended value is there already: nothing is left to do.</summary>
    [JsonIgnore]
    public bool IsDone => Current.Count > 0 && Current.All(c => c.State == CurrentState.AlreadySet);
}
