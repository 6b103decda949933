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

    /// <summary>A sentence of a cure with the ends and messages it is about.</summary>
    /// <param name="sentence">With <c>{sender}</c> and so on.</param>
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

/// <summary>What is changed, the cheapest first.</summary>
[JsonConverter(typeof(KebabCaseEnumConverter<RecommendationKind>))]
public enum RecommendationKind
{
    /// <summary>How the application writes or reads.</summary>
    Code,

    /// <summary>An option of its sockets.</summary>
    SocketOption,

    /// <summary>A control call on its sockets that Windows alone has.</summary>
    SocketCall,

    /// <summary>A TCP template: all new connections that use it.</summary>
    Template,

    /// <summary>A registry value: an interface or the machine.</summary>
    Registry,

    /// <summary>A setting that stands out in a snapshot; no measurement speaks of it.</summary>
    Setting,
}
