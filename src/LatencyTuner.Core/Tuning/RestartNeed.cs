using System.Text.Json.Serialization;

namespace LatencyTuner.Core.Tuning;

/// <summary>What must happen before a change takes effect. This program never does it, it only says so.</summary>
[JsonConverter(typeof(KebabCaseEnumConverter<RestartNeed>))]
public enum RestartNeed
{
    /// <summary>Takes effect at once.</summary>
    None,

    /// <summary>Connections opened after the change have it.</summary>
    NewConnections,

    /// <summary>The adapter must be disabled and enabled, or Windows restarted.</summary>
    Adapter,

    /// <summary>Windows must be restarted.</summary>
    Windows,
}
