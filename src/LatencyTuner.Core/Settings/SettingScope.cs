namespace LatencyTuner.Core.Settings;

/// <summary>How far one value of a setting reaches.</summary>
public enum SettingScope
{
    /// <summary>The whole machine.</summary>
    Machine,

    /// <summary>One IP interface, by its GUID.</summary>
    Interface,

    /// <summary>The connections that use one TCP template.</summary>
    Template,

    /// <summary>The connections that match a transport filter.</summary>
    Filter,

    /// <summary>One network adapter and its driver.</summary>
    Adapter,

    /// <summary>One socket.</summary>
    Socket,

    /// <summary>One connection, from outside its process.</summary>
    Connection,

    /// <summary>One application.</summary>
    Application,
}
