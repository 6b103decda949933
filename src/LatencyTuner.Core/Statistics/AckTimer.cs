using System.Text.Json.Serialization;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Statistics;

/// <summary>The delayed-ACK timer of a host, inferred from how long it delayed its ACKs.</summary>
/// <param name="ClusterMs">Value of the timer in milliseconds: 10, 40, 50, 100 or 200.</param>
/// <param name="Model">Fixed delay or periodic tick.</param>
/// <param name="Members">Number of ACK delays that fit the timer.</param>
/// <param name="Total">Number of ACK delays that were examined.</param>
internal sealed record AckTimer(double ClusterMs, AckTimerModel Model, long Members, long Total)
{
    /// <summary>A wait below this is scheduling noise, not a timer: the shortest known ACK timer is 10 ms.</summary>
    public static readonly TimeSpan SmallestHold = TimeSpan.FromMilliseconds(7);
}

/// <summary>The kind of delayed-ACK timer of a host.</summary>
[JsonConverter(typeof(KebabCaseEnumConverter<AckTimerModel>))]
internal enum AckTimerModel
{
    /// <summary>A fixed time after the first unacknowledged segment.</summary>
    Fixed,

    /// <summary>A periodic tick: the ACK is sent at the next tick, so the delays spread below the value.</summary>
    Tick,
}
