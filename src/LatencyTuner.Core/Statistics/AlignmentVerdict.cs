namespace LatencyTuner.Core.Statistics;

/// <summary>How two oscillations relate.</summary>
public enum AlignmentVerdict
{
    /// <summary>The periods differ, or the phase runs through: they do not swing in step.</summary>
    Independent,

    /// <summary>The same period and a phase difference that stays: a common cause is not excluded, and not proved.</summary>
    Locked,

    /// <summary>One swings, and over the same time the other does so by less than a quarter of it: what both share is not the cause.</summary>
    OnlyOne,

    /// <summary>Too little common time, or too much noise.</summary>
    CannotTell,
}
