namespace LatencyTuner.Core.Reporting.Model;

/// <summary>What the catalogue knows of one setting.</summary>
public sealed record SettingExplanation
{
    /// <summary>Id of the setting.</summary>
    public required string Id { get; init; }

    /// <summary>The name Windows gives it.</summary>
    public required string Title { get; init; }

    /// <summary>What it is.</summary>
    public required string What { get; init; }

    /// <summary>How it acts on latency.</summary>
    public required string Effect { get; init; }

    /// <summary>Why it does nothing, or is not recommended; null when this program may recommend it.</summary>
    public string? WhyNot { get; init; }

    /// <summary>What it costs.</summary>
    public required string Cost { get; init; }

    /// <summary>How far one value reaches.</summary>
    public required string Scope { get; init; }

    /// <summary>Where it is stored.</summary>
    public required string Where { get; init; }

    /// <summary>What no value means; null where there always is one.</summary>
    public string? AbsentMeans { get; init; }

    /// <summary>What is valid.</summary>
    public required string Range { get; init; }

    /// <summary>The default per Windows version, for explanation only.</summary>
    public required IReadOnlyDictionary<string, string> Defaults { get; init; }

    /// <summary>What suits each profile and why; empty where the facts support no recommendation.</summary>
    public IReadOnlyDictionary<string, string> Recommended { get; init; } = new Dictionary<string, string>();

    /// <summary><c>can-apply</c>, <c>advise-only</c>, <c>advise-app</c> or <c>flag-only</c>.</summary>
    public required string Action { get; init; }

    /// <summary>When a change is in force.</summary>
    public required string TakesEffect { get; init; }

    /// <summary>The same in words.</summary>
    public required string TakesEffectText { get; init; }

    /// <summary>Documented, undocumented, ignored or myth, in words.</summary>
    public required string Status { get; init; }

    /// <summary>How an admin reads it.</summary>
    public required string Read { get; init; }

    /// <summary>How an admin sets it.</summary>
    public required string Set { get; init; }

    /// <summary>How an admin undoes it.</summary>
    public required string Undo { get; init; }

    /// <summary>When it is worth touching; may be empty.</summary>
    public required string Advice { get; init; }

    /// <summary>Further remarks; may be empty.</summary>
    public required string Notes { get; init; }

    /// <summary>Where the facts come from.</summary>
    public required IReadOnlyList<string> Sources { get; init; }

    /// <summary>How well founded they are: <c>high</c>, <c>medium</c>, <c>low</c>.</summary>
    public required string Confidence { get; init; }
}
