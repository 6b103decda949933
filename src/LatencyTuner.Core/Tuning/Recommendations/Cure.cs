namespace LatencyTuner.Core.Tuning.Recommendations;

/// <summary>
/// One way to cure a cause. In its sentences <c>{sender}</c> and <c>{receiver}</c> stand for the ends (client, server) and <c>{message}</c>
/// for what the sender writes (request, reply), <c>{messages}</c> for several.
/// </summary>
internal sealed record Cure
{
    /// <summary>Stable id of the recommendation.</summary>
    internal required string Id { get; init; }

    internal required RecommendationKind Kind { get; init; }

    /// <summary>True: done at the end that sends the data that waits; false: at the end that receives it.</summary>
    internal required bool AtSender { get; init; }

    internal required string Title { get; init; }

    internal required string What { get; init; }

    /// <summary>The remedy of an experiment that measures it, without its suffix for replies; null when none does.</summary>
    internal string? MeasuredBy { get; init; }

    /// <summary>True when the experiment measures the same mechanism by another switch, so that the figure is expected here, not measured.</summary>
    internal bool MeasuredByAnother { get; init; }

    /// <summary>The share of its effect that it must bring more than a cheaper cure to come before it.</summary>
    internal required double Price { get; init; }

    internal required string TradeOff { get; init; }

    internal required string Scope { get; init; }

    internal required string TakesEffect { get; init; }

    internal required string Undo { get; init; }

    /// <summary>The snippets; null for none.</summary>
    internal string? Snippet { get; init; }

    /// <summary>The setting whose facts it rests on; null for none.</summary>
    internal string? SettingId { get; init; }

    /// <summary>The value that is set; null where the setting belongs to the application.</summary>
    internal string? Value { get; init; }

    internal IReadOnlyList<string> Sources { get; init; } = [];

    internal IReadOnlyList<string> Caveats { get; init; } = [];
}
