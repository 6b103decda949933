namespace LatencyTuner.Core.Recordings.Captures.Rules;

/// <summary>
/// Held segments whose ACK came at once, where they are many beside those that a delayed-ACK timer made longer: what they cost is a round trip each, and a
/// finding of its own.
/// </summary>
internal sealed class PromptHolds
{
    private const int Fewest = 3;
    private const double LeastShare = 0.1;

    /// <summary>An ACK that comes later beyond the path's own time is late, nanoseconds.</summary>
    public const long LateNs = 10_000_000;

    private readonly HashSet<NagleHold> _holds;

    private PromptHolds(HashSet<NagleHold> holds) => _holds = holds;

    /// <summary>The holds.</summary>
    public IReadOnlyCollection<NagleHold> Holds => _holds;

    /// <summary>Finds them; null where they are few.</summary>
    /// <param name="sides">The ends whose segments were held.</param>
    /// <param name="late">Their holds that a timer explains.</param>
    public static PromptHolds? Among(SideOfConnection[] sides, NagleHold[] late)
    {
        HashSet<NagleHold> others = [.. late];
        HashSet<NagleHold> prompt =
        [
            .. sides.SelectMany(
                s => s.Facts.Holds.All.Where(h => !others.Contains(h) && h.AckNs - h.FirstSentNs - (BeyondNs(s) ?? -LateNs) < LateNs)),
        ];
        return prompt.Count >= Fewest && HeldNs(prompt) >= LeastShare * HeldNs(All(sides)) ? new(prompt) : null;
    }

    /// <summary>How many of them are an end's.</summary>
    public int CountAt(SideOfConnection side) => side.Facts.Holds.All.Count(_holds.Contains);

    /// <summary>Their part of the time that was lost in all holds of some ends.</summary>
    public LostTime Cost(SideOfConnection[] sides) => PartOf(sides, _holds.Contains);

    /// <summary>The part of all the other holds.</summary>
    public LostTime CostOfOthers(SideOfConnection[] sides) => PartOf(sides, h => !_holds.Contains(h));

    private static LostTime PartOf(SideOfConnection[] sides, Func<NagleHold, bool> isMeant)
    {
        NagleHold[] holds = [.. All(sides)];
        NagleHold[] some = [.. holds.Where(isMeant)];
        LostTime all = LostTime.Of(sides, StallKind.NagleDelayedAck, StallKind.NagleHold);
        return all with
        {
            Ns = (long)(all.Ns * ((double)HeldNs(some) / Math.Max(1, HeldNs(holds)))),
            LongStalls = Math.Min(all.LongStalls, some.Count(h => h.HeldNs >= SideFacts.LongStallNs)),
        };
    }

    private static IEnumerable<NagleHold> All(SideOfConnection[] sides) => sides.SelectMany(s => s.Facts.Holds.All);

    /// <summary>The shortest round trip from the capture point to the peer, nanoseconds; null when unknown.</summary>
    private static long? BeyondNs(SideOfConnection side) => side.Index == 0 ? side.Connection.ServerBaseNs : side.Connection.ClientBaseNs;

    private static long HeldNs(IEnumerable<NagleHold> holds) => holds.Sum(h => h.HeldNs);
}
