namespace LatencyTuner.Core.Settings;

/// <summary>How well a fact of the catalogue is founded.</summary>
public enum SettingConfidence
{
    /// <summary>No current source.</summary>
    Low,

    /// <summary>One trace, an old page, or sources that differ.</summary>
    Medium,

    /// <summary>Documented, or seen in several dumps.</summary>
    High,
}
