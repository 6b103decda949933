using System.Text.Json.Serialization;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Findings;

/// <summary>The verdict in one word for scripts: the same words for every command.</summary>
[JsonConverter(typeof(KebabCaseEnumConverter<VerdictKind>))]
public enum VerdictKind
{
    /// <summary>Everything that was asked for holds: the limits of a check, a comparison that is not worse.</summary>
    Pass,

    /// <summary>A limit, a gate or a comparison does not hold.</summary>
    Fail,

    /// <summary>A finding from a warning up stands, and no gate failed on it.</summary>
    Stall,

    /// <summary>Nothing was found that costs time.</summary>
    NoStall,

    /// <summary>No finding from a warning up stands, but a pair of hosts is far slower than the others, or several series swing together.</summary>
    Unusual,

    /// <summary>The evidence does not allow a verdict.</summary>
    CannotTell,

    /// <summary>Settings of the machine were changed.</summary>
    Changed,

    /// <summary>No setting of the machine was changed, or nothing differs.</summary>
    Unchanged,

    /// <summary>Something is not as it was written, or two machines differ.</summary>
    Drift,

    /// <summary>The work is done, and there was nothing to judge.</summary>
    Done,

    /// <summary>The work could not be done.</summary>
    Failed,
}
