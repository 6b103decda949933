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

    /// <summary>The path's own round trip explains the time.</summary>
    NetworkRtt,

    /// <summary>The server's own processing explains the time.</summary>
    ServerThink,

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
