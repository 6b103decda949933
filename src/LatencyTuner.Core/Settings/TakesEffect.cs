namespace LatencyTuner.Core.Settings;

/// <summary>When a written value is in force.</summary>
public enum TakesEffect
{
    /// <summary>Never, or the question does not apply.</summary>
    NotApplicable,

    /// <summary>At once.</summary>
    Immediate,

    /// <summary>For connections opened afterwards.</summary>
    NewConnections,

    /// <summary>After the adapter was restarted; its link drops.</summary>
    AdapterRestart,

    /// <summary>After the service was restarted.</summary>
    ServiceRestart,

    /// <summary>After a restart of Windows.</summary>
    Reboot,
}
