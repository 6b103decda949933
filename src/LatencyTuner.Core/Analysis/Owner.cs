using System.Text.Json.Serialization;

namespace LatencyTuner.Core.Analysis;

/// <summary>Whose time it is.</summary>
[JsonConverter(typeof(KebabCaseEnumConverter<Owner>))]
public enum Owner
{
    /// <summary>The evidence does not tell.</summary>
    CannotTell,

    /// <summary>Nobody's: there is nothing to own.</summary>
    None,

    /// <summary>The measuring program and its machine: late sends, waits for a processor, collections.</summary>
    Client,

    /// <summary>The responder and its machine: its own time, waits for a processor.</summary>
    Server,

    /// <summary>The path, and what both kernels do for it, which cannot be parted from it without captures.</summary>
    Network,
}
