using System.Text.Json.Serialization;

namespace LatencyTuner.Core.Analysis;

/// <summary>What the audit says of one value.</summary>
[JsonConverter(typeof(KebabCaseEnumConverter<AuditState>))]
public enum AuditState
{
    /// <summary>Nothing to remark.</summary>
    Ok,

    /// <summary>It works, and does not suit the profile.</summary>
    NotRecommended,

    /// <summary>It does nothing.</summary>
    NoEffect,

    /// <summary>It is where nothing reads it, or on an adapter that carries none of the host's connections.</summary>
    Misplaced,

    /// <summary>Another setting of the same thing differs, and which one wins is not documented.</summary>
    Conflict,

    /// <summary>It was written after the last start and takes effect with the next.</summary>
    PendingRestart,

    /// <summary>It could not be read, or what it does cannot be told.</summary>
    Unknown,
}
