namespace LatencyTuner.Core.Statistics;

/// <summary>How two oscillations relate.</summary>
public enum AlignmentVerdict
{
    /// <summary>The periods differ, or the phase runs through: they do not swing in step.</summary>
    Independent,

    /// <summary>The same period and a phase difference that stays: a common cause is not excluded, and not proved.</summary>
    Locked,

    /// <summary>Too little common time, or too much noise.</summary>
    CannotTell,
}
