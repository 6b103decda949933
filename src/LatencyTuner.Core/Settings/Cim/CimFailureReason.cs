namespace LatencyTuner.Core.Settings.Cim;

/// <summary>Why CIM gave no answer.</summary>
public enum CimFailureReason
{
    /// <summary>This Windows has no such class; others may be there.</summary>
    NoSuchClass,

    /// <summary>CIM itself is not there or does not work: no further question is worth asking.</summary>
    NotThere,

    /// <summary>Access was denied.</summary>
    Denied,

    /// <summary>No answer came in time.</summary>
    TimedOut,

    /// <summary>What was to be written may not be written on this Windows.</summary>
    ReadOnly,

    /// <summary>Anything else.</summary>
    Other,
}
