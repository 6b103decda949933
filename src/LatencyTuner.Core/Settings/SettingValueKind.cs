namespace LatencyTuner.Core.Settings;

/// <summary>The type of a stored value. The names in reports are those of the registry (winnt.h), also where a store has fewer types.</summary>
public enum SettingValueKind
{
    /// <summary>There is no value. A state of its own, not a default.</summary>
    Absent,

    /// <summary>REG_DWORD, 32 bits.</summary>
    Dword,

    /// <summary>REG_QWORD, 64 bits.</summary>
    Qword,

    /// <summary>REG_SZ.</summary>
    Text,

    /// <summary>REG_EXPAND_SZ, not expanded.</summary>
    ExpandText,

    /// <summary>REG_MULTI_SZ.</summary>
    MultiText,

    /// <summary>REG_BINARY.</summary>
    Binary,

    /// <summary>Another registry type, kept byte for byte; never written by this program except to restore it.</summary>
    Other,
}
