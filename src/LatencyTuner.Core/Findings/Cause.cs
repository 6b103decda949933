using System.Text.Json;
using System.Text.Json.Serialization;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Findings;

/// <summary>The published causes. Each has a stable finding id, see <see cref="CauseIds"/>.</summary>
[JsonConverter(typeof(CauseConverter))]
public enum Cause
{
    /// <summary>No stall was found.</summary>
    None,

    /// <summary>The evidence does not allow a verdict.</summary>
    CannotTell,

    /// <summary>Nagle's algorithm at one end waits for an ACK that the other end delays (RFC 896, RFC 1122 4.2.3.2 and 4.2.3.4).</summary>
    NagleDelayedAck,

    /// <summary>Nagle's algorithm holds a small segment for an ACK that no timer delays.</summary>
    NagleHold,

    /// <summary>A host delays its pure ACKs and something waits for them.</summary>
    DelayedAck,

    /// <summary>The receiver's window is smaller than the path needs, or its application reads too slowly.</summary>
    ReceiveWindow,

    /// <summary>The receiver closes its window.</summary>
    ZeroWindow,

    /// <summary>The sender waits for ACKs because its congestion window is full.</summary>
    CongestionWindow,

    /// <summary>A send completes only when it is acknowledged, because the send buffer is no larger than the send (KB 823764).</summary>
    SendBuffer,

    /// <summary>Many small segments.</summary>
    SmallSegments,

    /// <summary>Losses repaired by a retransmission timeout (RFC 6298) or a tail-loss probe (RFC 8985).</summary>
    LossRto,

    /// <summary>Losses repaired by fast retransmission (RFC 5681, RFC 6675).</summary>
    LossFastRetransmit,

    /// <summary>Segments overtake each other on the path.</summary>
    Reordering,

    /// <summary>The path's own round trip explains the time.</summary>
    NetworkRtt,

    /// <summary>A queue on the path multiplies the round trip under load.</summary>
    Bufferbloat,

    /// <summary>The server's own processing explains the time.</summary>
    ServerThink,

    /// <summary>The client's own pauses explain the time.</summary>
    ClientThink,

    /// <summary>Latency swings with a period.</summary>
    Oscillation,

    /// <summary>Latency changed to another level and stayed there.</summary>
    LevelShift,

    /// <summary>Latency falls, or throughput rises, as load rises.</summary>
    LoadInversion,

    /// <summary>A setting has a value that does not suit the profile.</summary>
    SettingNotRecommended,

    /// <summary>A setting is present but has no effect.</summary>
    SettingHasNoEffect,

    /// <summary>A setting is in a place where nothing reads it.</summary>
    SettingMisplaced,

    /// <summary>Two settings for the same thing differ, and it is not documented which one wins.</summary>
    SettingConflict,

    /// <summary>The evidence is incomplete.</summary>
    EvidenceIncomplete,

    /// <summary>A cause in a file of a newer version that this version does not know; its finding keeps the id.</summary>
    Unknown,
}

/// <summary>The stable finding ids of the causes.</summary>
public static class CauseIds
{
    /// <summary>Every published id in ascending order.</summary>
    public static IReadOnlyList<string> All { get; } =
        [.. Enum.GetValues<Cause>().Where(c => c is not (Cause.None or Cause.CannotTell or Cause.Unknown)).Select(IdOf).Order(StringComparer.Ordinal)];

    /// <summary>True for the causes of a settings audit, which prove no stall.</summary>
    /// <param name="cause">Any cause.</param>
    public static bool IsOfSettings(Cause cause) =>
        cause is Cause.SettingNotRecommended or Cause.SettingHasNoEffect or Cause.SettingMisplaced or Cause.SettingConflict;

    /// <summary>The id of a cause.</summary>
    /// <param name="cause">A cause that can be a finding.</param>
    /// <returns><c>LT101</c> and so on.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The cause is not one that a finding can have.</exception>
    public static string IdOf(Cause cause) => cause switch
    {
        Cause.NagleDelayedAck => "LT101",
        Cause.NagleHold => "LT102",
        Cause.DelayedAck => "LT103",
        Cause.ReceiveWindow => "LT111",
        Cause.ZeroWindow => "LT112",
        Cause.CongestionWindow => "LT113",
        Cause.SendBuffer => "LT114",
        Cause.SmallSegments => "LT115",
        Cause.LossRto => "LT121",
        Cause.LossFastRetransmit => "LT122",
        Cause.Reordering => "LT123",
        Cause.NetworkRtt => "LT131",
        Cause.Bufferbloat => "LT132",
        Cause.ServerThink => "LT141",
        Cause.ClientThink => "LT142",
        Cause.Oscillation => "LT151",
        Cause.LevelShift => "LT152",
        Cause.LoadInversion => "LT161",
        Cause.SettingNotRecommended => "LT201",
        Cause.SettingHasNoEffect => "LT202",
        Cause.SettingMisplaced => "LT203",
        Cause.SettingConflict => "LT204",
        Cause.EvidenceIncomplete => "LT301",
        _ => throw new ArgumentOutOfRangeException(nameof(cause), cause, "Not a cause that a finding can have."),
    };
}

/// <summary>Writes a cause as its published word. Reads any word, so that this version can also read files of newer versions.</summary>
internal sealed class CauseConverter : JsonConverter<Cause>
{
    private static readonly Dictionary<string, Cause> Words = Enum.GetValues<Cause>().ToDictionary(Format.Kebab, StringComparer.Ordinal);

    /// <inheritdoc/>
    public override Cause Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) =>
        reader.TokenType == JsonTokenType.String ? Words.GetValueOrDefault(reader.GetString()!, Cause.Unknown)
        : throw new JsonException("The name of a cause is expected.");

    /// <inheritdoc/>
    public override void Write(Utf8JsonWriter writer, Cause value, JsonSerializerOptions options) => writer.WriteStringValue(Format.Kebab(value));
}
