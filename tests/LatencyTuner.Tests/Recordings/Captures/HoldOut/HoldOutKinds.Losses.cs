using LatencyTuner.Core.Findings;
using LatencyTuner.Tests.Capture;

namespace LatencyTuner.Tests.Recordings.Captures.HoldOut;

/// <content>Losses and pauses that look like them.</content>
internal static partial class HoldOutKinds
{
    private static HoldOutCase CoalescedRepair(Random r)
    {
        SimulatedConnection c = Path(r, 0.1, 40);
        int n = r.Next(20, 50);
        int pieces = r.Next(2, 4);
        c.Client.Coalesces = true;
        (double think, int[] sizes) = (r.Between(0.05, 3), [.. Enumerable.Range(0, pieces).Select(_ => r.Next(30, 420))]);
        int total = sizes.Sum();
        HashSet<int> lost = [.. Enumerable.Range(0, r.Next(1, 5)).Select(_ => r.Next(3, n))];
        HashSet<long> losing = [.. lost.Select(l => ((long)l * total) + sizes.Take(r.Next(pieces - 1)).Sum())];
        c.Loses = p => p is { Side: 0, Length: > 0 } && losing.Remove(p.From);
        Exchange(c, 0, n, _ => sizes, _ => [r.Next(50, 1200)], _ => think, _ => r.Between(0.1, 30));
        double round = 2 * c.OneWayMs;
        return new HoldOutCase().With(c).None("LT122 LT101 LT102" + (think < 2 ? " LT141" : "")).NoHarmfulAcks()
            .Has(
                "LT121", null, (0.85 * c.Client.Timeouts.Ms) - (lost.Count * round), (1.02 * c.Client.Timeouts.Ms) + (lost.Count * (round + 1)),
                count: lost.Count);
    }

    private static HoldOutCase TimeoutInRecovery(Random r)
    {
        int sender = r.Next(2);
        SimulatedConnection c = Path(r, 1, 40, scale: 7);
        SimulatedEnd from = c.Ends[sender];
        int segments = r.Next(60, 300);
        HashSet<long> lost = [.. Enumerable.Range(0, r.Next(1, 3)).Select(_ => (long)r.Next(15, segments - 12) * c.Mss)];
        int again = r.Next(1, 3);
        Dictionary<long, int> times = lost.ToDictionary(l => l, _ => 0);
        c.Loses = p => p.Side == sender && p.Length > 0 && times.ContainsKey(p.From) && times[p.From]++ <= again;
        from.LeastTimerMs = r.Between(200, 400);
        from.Coalesces = r.Chance(0.5);
        Bulk(c, sender, segments * c.Mss);
        double round = 2 * c.OneWayMs;
        (double low, double high) =
            (0.85 * (from.SilentMs - (from.Timeouts.Count * round)), (1.02 * from.Timeouts.Ms) + (from.Timeouts.Count * ((3 * round) + 2)));
        // A timer shows by a silence that no path explains, beside the sender by a shorter one.
        HoldOutCase judged = new HoldOutCase().With(c).None("LT101 LT102 LT111 LT112 LT114 LT141").NoHarmfulAcks();
        foreach (int tap in judged.Taps)
        {
            bool told = from.ShortestSilenceMs >= 1 + (tap == sender ? Math.Max(20, 0.55 * round) : Math.Max(200, 2 * round));
            judged.Has(told ? "LT121" : "LT121 LT122", null, low, told ? high : double.MaxValue, tap: tap);
        }

        return judged;
    }

    private static SimulatedConnection TwoSegments(Random r, int n, double tailMs, HashSet<int> late, bool numbered, out double timerMs)
    {
        SimulatedConnection p = Path(r, 1, 40, jitterShare: 0);
        SimulatedConnection c = new(r)
        {
            OneWayMs = p.OneWayMs,
            Timestamps = p.Timestamps,
            Sack = p.Sack,
            Scale = p.Scale,
            Number = p.Number,
            Numbered = numbered,
        };
        (c.Client.ReactsMs, c.Server.ReactsMs) = (p.Client.ReactsMs, p.Server.ReactsMs);
        c.Client.AckMs = 0;
        c.Server.AckMs = p.Server.AckMs;
        c.Server.LeastTimerMs = r.Between(200, 700);
        int rest = r.Next(100, 1300);
        HashSet<long> dropped = [];
        int all = c.Mss + rest;
        c.Loses = p => p is { Side: 1, Length: > 0 } && tailMs == 0 && late.Contains((int)(p.From / all)) && p.From % all == c.Mss && dropped.Add(p.From);
        (long asked, long answered) = (0, 0);
        c.Run(0, () => c.After(1, () => Ask(0)));
        timerMs = c.Server.Timeouts.Ms;
        return c;

        void Ask(int i)
        {
            c.Client.Write(100);
            asked += 100;
            answered += all;
            c.Server.OnReceived(asked, () => c.After(0.2, () =>
            {
                c.Server.Write(c.Mss);
                c.After(late.Contains(i) ? tailMs : 0, () => c.Server.Write(rest));
            }));
            c.Client.OnReceived(answered, () => c.After(r.Between(0.2, 60), () => _ = i + 1 < n ? Call(i + 1) : 0));
        }

        int Call(int i)
        {
            Ask(i);
            return 0;
        }
    }

    private static HoldOutCase LostTail(Random r)
    {
        int n = r.Next(40, 90);
        HashSet<int> late = [.. Enumerable.Range(0, r.Next(2, 6)).Select(_ => r.Next(12, n))];
        bool numbered = r.Chance(0.7);
        SimulatedConnection c = TwoSegments(r, n, 0, late, numbered, out double ms);
        double round = 2 * c.OneWayMs;
        (double low, double high) = (0.85 * (ms - (late.Count * round)), 1.02 * (ms + (late.Count * (round + 1))));
        HoldOutCase judged = new HoldOutCase().With(c).AtMostPossible("LT121", tap: 0).None("LT122 LT101 LT102").NoHarmfulAcks()
            .Has("LT121", Side.Network, low, high, tap: 1, count: late.Count);
        // Chance has silences in which numbers are missing, too: too few that are most of the time show nothing.
        double chance = Math.Pow(ms / c.LastMs, late.Count);
        return numbered && chance is > 0.1 and < 0.3 ? judged : numbered && chance < 0.2
            ? judged.Has("LT121", Side.Network, low, high, Confidence.Possible, tap: 0, count: late.Count)
            : judged.None("LT121", tap: 0);
    }

    private static HoldOutCase PauseInResponse(Random r)
    {
        int n = r.Next(40, 90);
        HashSet<int> late = [.. Enumerable.Range(0, r.Next(2, 6)).Select(_ => r.Next(12, n))];
        SimulatedConnection c = TwoSegments(r, n, r.Between(150, 900), late, r.Chance(0.7), out _);
        return new HoldOutCase().With(c).None("LT121 LT122 LT101 LT102").NoHarmfulAcks();
    }

    private static HoldOutCase ChallengeAck(Random r)
    {
        double round = r.Spread(0.3, 80);
        double again = r.Pick(500.0, 1000, 3000) + r.Between(0, 100);
        (uint oldAck, uint oldSequence) = ((uint)r.Next(100_000, 900_000_000), (uint)r.Next(1_000_000, 900_000_000));
        SegmentSequence sequence = new SegmentSequence().Syn(0).FromServer(round, oldAck, 0, oldSequence).Syn(again).SynAck(again + round);
        double at = again + round + 0.05;
        sequence.FromClient(at, 1000, 0);
        (uint asked, uint answered) = (1000, 5000);
        for (int i = r.Next(1, 12); i > 0; i--)
        {
            (int ask, int answer) = (r.Next(40, 900), r.Next(40, 1200));
            sequence.FromClient(at += 1, asked, ask, answered).FromServer(at += round + 0.2, asked += (uint)ask, answer, answered);
            sequence.FromClient(at += 0.05, asked, 0, answered += (uint)answer);
        }

        byte[] capture = sequence.Pcap();
        return new HoldOutCase { File = _ => capture, Taps = [0] }.None("LT121 LT122 LT101 LT102");
    }

    private static HoldOutCase SynUnanswered(Random r)
    {
        SimulatedConnection c = Path(r, 0.5, 60);
        int lost = r.Next(1, 3);
        int syns = 0;
        c.Loses = p => p is { Side: 0, Syn: true } && syns++ < lost;
        Exchange(c, 0, r.Next(2, 10), _ => [r.Next(40, 1200)], _ => [r.Next(40, 1300)]);
        double late = lost == 1 ? 1000 : 3000;
        double varies = 1 + (10 * c.JitterMs);
        return new HoldOutCase().With(c).None("LT122 LT101 LT102").NoHarmfulAcks().None("LT121", tap: 1)
            .Has("LT121", null, late - varies, late + varies, tap: 0)
            .Wants(0, result => result.Findings.Any(f => f is { Id: "LT121", Side: not null }) ? "a side" : null);
    }
}
