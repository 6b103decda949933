using System.Text.Json.Serialization;

namespace LatencyTuner.Core.Tuning;

/// <summary>How applying, rolling back or verifying ended.</summary>
[JsonConverter(typeof(KebabCaseEnumConverter<TuningOutcome>))]
public enum TuningOutcome
{
    /// <summary>All of it was done; for verify: all is as written.</summary>
    Done,

    /// <summary>Everything was as wanted already.</summary>
    NoChange,

    /// <summary>It was only shown.</summary>
    WhatIf,

    /// <summary>It could not be done and nothing was changed.</summary>
    Refused,

    /// <summary>It failed on the way and every value was put back.</summary>
    RolledBack,

    /// <summary>It failed on the way and not every value is as it was; for verify: not all is as written.</summary>
    Incomplete,
}
