using LatencyTuner.Core.Capture;
using LatencyTuner.Core.Statistics;

namespace LatencyTuner.Core.Recordings.Captures.Rules;

/// <summary>Held segments whose ACK a delayed-ACK timer made late.</summary>
internal static class LateHolds
{
    private const int Fewest = 3;

    /// <summary>The holds that a delayed-ACK timer explains, and the timer of most of them.</summary>
    /// <param name="evidence">The evidence.</param>
    /// <param name="sides">The ends whose segments were held.</param>
    public static (NagleHold[] Late, HostTimer? Timer) Of(CaptureEvidence evidence, SideOfConnection[] sides)
    {
        List<NagleHold> late = [];
        Dictionary<HostTimer, int> timers = [];
        Dictionary<IpAddressValue, (long Fitting, long Late, bool Alike)> holdsOf = sides.GroupBy(s => s.Peer).ToDictionary(
            g => g.Key, g => OfPeer([.. g.SelectMany(s => s.Facts.Holds.All)]));
        foreach (SideOfConnection side in sides)
        {
            HostTimer? timer = evidence.TimerOf(side.Peer);
            // A peer whose late ACKs are too few to show its timer, or mixed with those of others behind its address: each may fit a known one.
            bool few = evidence.Hosts.TryGetValue(side.Peer, out CapturedHost? peer) && peer.LateCount < AckTimerInference.FewestMembers;
            (long fitting, long lateHolds, bool alike) = holdsOf[side.Peer];
            bool unknown = (timer is null && (few || alike)) || (fitting >= Fewest && 2 * fitting >= lateHolds);
            foreach (NagleHold hold in side.Facts.Holds.All)
            {
                // Answers that were as slow near it leave an ACK unexplained, unless it is just the host's timer, or each of them fits the same one.
                if (!hold.Late && timer?.IsAt(hold.AckDelayNs) != true && !(unknown && alike))
                {
                    continue;
                }

                HostTimer? fits = timer is not null && timer.Fits(hold.AckDelayNs) ? timer : unknown ? HostTimer.KnownAt(hold.AckDelayNs) : null;
                if (fits is not null)
                {
                    late.Add(hold);
                    timers[fits] = timers.GetValueOrDefault(fits) + 1;
                }
            }
        }

        return ([.. late], timers.Count == 0 ? null : timers.MaxBy(t => t.Value).Key);
    }

    /// <summary>
    /// When a peer had acknowledged the end of one of its host's connections, and to which port that was, for each two hosts in order of time. A program that
    /// closes one connection, waits until its end is acknowledged, and then writes on another one, as FTP servers do, looks as if Nagle's algorithm held that.
    /// </summary>
    /// <param name="sides">The ends of all connections.</param>
    public static Dictionary<(IpAddressValue Host, IpAddressValue Peer), (long TimeNs, ushort Port)[]> EndsOf(IEnumerable<SideOfConnection> sides) =>
        sides.Where(s => s.Facts.FinAckedNs != 0).GroupBy(s => (s.Host, s.Peer))
            .ToDictionary(g => g.Key, g => g.Select(s => (s.Facts.FinAckedNs, s.Connection.ServerPort)).Order().ToArray());

    /// <summary>True when each ACK that held segments waited for came together with one of those, to another port.</summary>
    /// <param name="side">The end whose segments were held.</param>
    /// <param name="ends">The result of <see cref="EndsOf"/>.</param>
    public static bool AwaitEnds(SideOfConnection side, Dictionary<(IpAddressValue Host, IpAddressValue Peer), (long TimeNs, ushort Port)[]> ends)
    {
        const long TogetherNs = 1_000_000;
        return side.Facts.Holds.Count > 0 && ends.TryGetValue((side.Host, side.Peer), out (long TimeNs, ushort Port)[]? times)
            && side.Facts.Holds.All.All(hold =>
            {
                int at = Array.BinarySearch(times, (hold.AckNs - TogetherNs, (ushort)0));
                return times.Skip(at < 0 ? ~at : at).TakeWhile(t => t.TimeNs <= hold.AckNs + TogetherNs).Any(t => t.Port != side.Connection.ServerPort);
            });
    }

    /// <summary>
    /// The holds of one peer whose late ACK fits a known timer, those whose ACK is late, and whether several fit one timer: all, or at least three beside
    /// prompt ones, with nothing between. On a long path the timer may be a small part of the round trip.
    /// </summary>
    private static (long Fitting, long Late, bool Alike) OfPeer(NagleHold[] holds)
    {
        const int Spread = 5;
        double?[] timers = [.. holds.Select(h => HostTimer.KnownAt(h.AckDelayNs)?.Ms)];
        long[] slow = [.. holds.Select(h => h.AckDelayNs).Where(d => d >= PromptHolds.LateNs)];
        bool parted = slow.Length == holds.Length ? slow.Length > 1 : slow.Length >= Fewest && slow.Max() - slow.Min() <= slow.Min() / Spread;
        return (holds.Zip(timers).LongCount(h => h.First.Late && h.Second is not null), holds.LongCount(h => h.Late),
            parted && slow.Select(d => HostTimer.KnownAt(d)?.Ms).Distinct().ToArray() is [not null]);
    }
}
