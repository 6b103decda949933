using System.Text.Json.Serialization;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Analysis.Fleets;

/// <summary>Whether a pair of hosts is far from the other pairs.</summary>
[JsonConverter(typeof(KebabCaseEnumConverter<FleetOutlier>))]
public enum FleetOutlier
{
    /// <summary>It is like the others, or nothing can be said.</summary>
    None,

    /// <summary>Its 99th percentile is far above that of the others.</summary>
    Slower,

    /// <summary>Its 99th percentile is far below that of the others.</summary>
    Faster,
}
