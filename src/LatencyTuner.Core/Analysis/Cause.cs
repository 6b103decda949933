using System.Text.Json.Serialization;

namespace LatencyTuner.Core.Analysis;

/// <summary>The published causes. Each has a stable finding id, see <see cref="CauseIds"/>.</summary>
[JsonConverter(typeof(KebabCaseEnumConverter<Cause>))]
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

    /// <summary>The receiver's window is smaller than the path needs, or its reader too slow.</summary>
    ReceiveWindow,

    /// <summary>The receiver closes its window.</summary>
    ZeroWindow,

    /// <summary>The sender idles for ACKs behind its congestion window.</summary>
    CongestionWindow,

    /// <summary>A send completes only when acknowledged, behind a send buffer no larger than itself (KB 823764).</summary>
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

    /// <summary>A setting is there that does nothing.</summary>
    SettingHasNoEffect,

    /// <summary>A setting is where nothing reads it.</summary>
    SettingMisplaced,

    /// <summary>Two settings of the same thing differ, and which one wins is not documented.</summary>
    SettingConflict,

    /// <summary>The evidence is incomplete.</summary>
    EvidenceIncomplete,
}
