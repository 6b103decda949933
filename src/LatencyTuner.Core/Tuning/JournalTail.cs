namespace LatencyTuner.Core.Tuning;

/// <summary>How a journal ends.</summary>
public enum JournalTail
{
    /// <summary>After a whole record.</summary>
    Whole,

    /// <summary>In the middle of its last record, as after a crash: that record was never acknowledged, nothing that counts is lost.</summary>
    Cut,

    /// <summary>With bytes that are no record; what is before them is usable.</summary>
    Damaged,
}
