namespace LatencyTuner.Core.Analysis.Selftest;

/// <summary>What is known of the folder of the journal.</summary>
public enum JournalFolderState
{
    /// <summary>It could not be looked at.</summary>
    Unknown,

    /// <summary>It is not there.</summary>
    Absent,

    /// <summary>Owner and access list are as they should be.</summary>
    Trusted,

    /// <summary>Somebody else owns it or may write to it.</summary>
    Refused,
}
