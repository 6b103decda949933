using System.Text.Json.Serialization;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Statistics;

/// <summary>A host's delayed-ACK timer as inferred from how long it held its ACKs.</summary>
/// <param name="ClusterMs">10, 40, 50, 100 or 200.</param>
/// <param name="Model">Fixed or tick.</param>
/// <param name="Members">Holds that fit.</param>
/// <param name="Total">Holds looked at.</param>
internal sealed record AckTimer(double ClusterMs, AckTimerModel Model, long Members, long Total)
{
    /// <summary>A wait below this is scheduling noise, not a timer: the shortest known ACK timer is 10 ms.</summary>
    public static readonly TimeSpan SmallestHold = TimeSpan.FromMilliseconds(7);
}

/// <summary>How a host's delayed-ACK timer runs.</summary>
[JsonConverter(typeof(KebabCaseEnumConverter<AckTimerModel>))]
internal enum AckTimerModel
{
    /// <summary>A fixed time after the first unacknowledged segment.</summary>
    Fixed,

    /// <summary>A periodic tick: the ACK comes at the next one, so holds spread below the value.</summary>
    Tick,
}
