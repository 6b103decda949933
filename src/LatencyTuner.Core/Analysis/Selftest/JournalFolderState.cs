namespace LatencyTuner.Core.Analysis.Selftest;

/// <summary>The state of the folder of the journal.</summary>
public enum JournalFolderState
{
    /// <summary>The folder could not be read.</summary>
    Unknown,

    /// <summary>The folder does not exist.</summary>
    Absent,

    /// <summary>Owner and access list are as they should be.</summary>
    Trusted,

    /// <summary>Another account owns the folder or may write to it.</summary>
    Refused,
}
