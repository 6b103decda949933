namespace LatencyTuner.Core.Settings;

/// <summary>What this program may do with a setting.</summary>
public enum SettingAction
{
    /// <summary>It can be changed and restored exactly.</summary>
    CanApply,

    /// <summary>The command is printed; running it can drop sessions, or it cannot be read back.</summary>
    AdviseOnly,

    /// <summary>It belongs to the code or the configuration of an application.</summary>
    AdviseApp,

    /// <summary>Reported where present, never set: a myth, ignored, or obsolete.</summary>
    FlagOnly,
}
