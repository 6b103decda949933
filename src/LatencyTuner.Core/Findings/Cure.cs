using System.Text.Json.Serialization;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Findings;

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

    /// <summary>True when the experiment measures the same mechanism with another switch: the effect is then expected, not measured.</summary>
    internal bool MeasuredByAnother { get; init; }

    /// <summary>The share (0 to 1) that is deducted from the time it saves when cures are ordered; larger for a cure that costs more.</summary>
    internal required double Price { get; init; }

    internal required string TradeOff { get; init; }

    internal required string Scope { get; init; }

    internal required string TakesEffect { get; init; }

    internal required string Undo { get; init; }

    /// <summary>The name of its code snippets; null for none.</summary>
    internal string? Snippet { get; init; }

    /// <summary>The id of the setting that it changes; null for none.</summary>
    internal string? SettingId { get; init; }

    /// <summary>The value to set; null where the setting belongs to the application.</summary>
    internal string? Value { get; init; }

    internal IReadOnlyList<string> Sources { get; init; } = [];

    internal IReadOnlyList<string> Caveats { get; init; } = [];

    /// <summary>Puts the names of the ends and messages into a sentence of a cure.</summary>
    /// <param name="sentence">A sentence with <c>{sender}</c>, <c>{receiver}</c>, <c>{message}</c> or <c>{messages}</c>.</param>
    /// <param name="sender">The end that sends the data that waits; null when unknown.</param>
    internal static string InWords(string sentence, Side? sender)
    {
        (string sending, string receiving, string message, string messages) = sender switch
        {
            Side.Client => ("client", "server", "request", "requests"),
            Side.Server => ("server", "client", "reply", "replies"),
            _ => ("sending end", "receiving end", "message", "messages"),
        };
        return sentence.Replace("{sender}", sending, StringComparison.Ordinal).Replace("{receiver}", receiving, StringComparison.Ordinal)
            .Replace("{messages}", messages, StringComparison.Ordinal).Replace("{message}", message, StringComparison.Ordinal);
    }
}

/// <summary>What a recommendation changes, the cheapest first.</summary>
[JsonConverter(typeof(KebabCaseEnumConverter<RecommendationKind>))]
public enum RecommendationKind
{
    /// <summary>How the application writes or reads.</summary>
    Code,

    /// <summary>An option of its sockets.</summary>
    SocketOption,

    /// <summary>A control call on its sockets that only Windows has.</summary>
    SocketCall,

    /// <summary>A TCP template: changes all new connections that use it.</summary>
    Template,

    /// <summary>A registry value: changes an interface or the whole machine.</summary>
    Registry,

    /// <summary>A setting that stands out in a snapshot; no measurement shows its effect.</summary>
    Setting,
}
