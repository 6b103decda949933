using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Recordings.Captures;
using LatencyTuner.Tests.Capture;

namespace LatencyTuner.Tests.Recordings.Captures.HoldOut;

/// <summary>The kinds of captures with a known cause; the numbers of each are drawn.</summary>
internal static class HoldOutKinds
{
    public static readonly SortedDictionary<string, Func<Random, HoldOutCase>> All = new(StringComparer.Ordinal)
    {
        ["closed window, probed"] = ClosedWindow,
        ["loss repaired in one segment with what had arrived"] = CoalescedRepair,
        ["timeout inside a recovery"] = TimeoutInRecovery,
        ["tail lost before the tap"] = LostTail,
        ["pause inside a response"] = PauseInResponse,
        ["full window before a queue"] = r => FullQueue(r, true),
        ["no limit but a queue"] = r => FullQueue(r, false),
        ["ACKs of many segments held"] = StretchedAcks,
        ["window of unknown scale"] = UnknownScale,
        ["blocking sends"] = BlockingSends,
        ["client pauses between and inside uploads"] = ClientPauses,
        ["Nagle against a timer"] = NagleAgainstTimer,
        ["Nagle against a tick"] = NagleAgainstTick,
        ["Nagle on a prompt path"] = NaglePrompt,
        ["one deadlock in a short connection"] = OneDeadlock,
        ["one hold at each of many servers"] = HoldAtEachServer,
        ["client that thinks, both ends delay ACKs"] = ClientThinks,
        ["client that thinks, server splits"] = ClientThinksServerSplits,
        ["SYN proxy"] = SynProxy,
        ["coarse clock, few holds"] = CoarseClock,
        ["long first response"] = FirstResponse,
        ["late first request"] = LateFirstRequest,
        ["gap in the capture"] = GapInCapture,
        ["translated twice in one file"] = TranslatedTwice,
        ["same capture twice in one file"] = TwiceInOneFile,
        ["SYN answered for an older connection"] = ChallengeAck,
        ["SYN unanswered at the client"] = SynUnanswered,
    };

    private static double Between(this Random r, double low, double high) => low + ((high - low) * r.NextDouble());

    /// <summary>Spread over the orders of magnitude.</summary>
    private static double Spread(this Random r, double low, double high) => low * Math.Pow(high / low, r.NextDouble());

    private static bool Chance(this Random r, double share) => r.NextDouble() < share;

    private static T Pick<T>(this Random r, params T[] values) => values[r.Next(values.Length)];

    private static SimulatedConnection Path(Random r, double low, double high, double jitterShare = 0.02, double[]? rate = null, int? scale = null)
    {
        double oneWay = r.Spread(low, high);
        SimulatedConnection c = new(r)
        {
            OneWayMs = oneWay, JitterMs = r.Pick(0, 0, 1) * jitterShare * oneWay * r.NextDouble(), Timestamps = r.Chance(0.5), Sack = r.Chance(0.8),
            Scale = scale ?? r.Pick(0, 2, 7, 8), Rate = rate ?? [0, 0], Number = r.Next(1, 250),
        };
        foreach (SimulatedEnd end in c.Ends)
        {
            end.ReactsMs = r.Between(0.005, 0.04);
            end.AckMs = r.Pick(40, 50, 100, 200);
            // No timer ends while an ACK is delayed.
            end.LeastTimerMs = r.Between(300, 500);
        }

        return c;
    }

    /// <summary>Requests in pieces and their answers, one after the other.</summary>
    private static SimulatedConnection Exchange(
        SimulatedConnection c, double atMs, int n, Func<int, int[]> ask, Func<int, int[]> answer, Func<int, double>? thinkMs = null, Func<int, double>? pauseMs = null,
        double leadMs = 1, double gapMs = 0.01)
    {
        (long asked, long answered) = (0, 0);
        return c.Run(atMs, () => c.After(leadMs, () => Ask(0)));

        void Ask(int i)
        {
            int[] pieces = ask(i);
            asked += pieces.Sum();
            Pieces(c.Client, pieces);
            c.Server.OnReceived(asked, () => c.After(thinkMs?.Invoke(i) ?? 0.03, () => Answer(i)));
        }

        void Answer(int i)
        {
            int[] pieces = answer(i);
            answered += pieces.Sum();
            Pieces(c.Server, pieces);
            c.Client.OnReceived(answered, () =>
            {
                if (i + 1 < n)
                {
                    c.After(pauseMs?.Invoke(i) ?? 0.05, () => Ask(i + 1));
                }
            });
        }

        void Pieces(SimulatedEnd end, int[] pieces)
        {
            for (int p = 0; p < pieces.Length; p++)
            {
                int bytes = pieces[p];
                c.After(p * gapMs, () => end.Write(bytes));
            }
        }
    }

    /// <summary>One end sends, in writes of that many bytes; the transfer begins with a short request where the server sends.</summary>
    private static SimulatedConnection Bulk(SimulatedConnection c, int sender, int bytes, double atMs = 0) => c.Run(atMs, () => c.After(1, () =>
    {
        if (sender == 0)
        {
            c.Client.Write(bytes);
            return;
        }

        c.Client.Write(120);
        c.Server.OnReceived(120, () => c.Server.Write(bytes));
    }));

    private static Side Of(int side) => side == 0 ? Side.Client : Side.Server;

    private static int[] Halves(Random r) => [r.Next(20, 700), r.Next(20, 700)];

    private static HoldOutCase ClosedWindow(Random r)
    {
        int sender = r.Next(2);
        SimulatedConnection c = Path(r, 0.1, 60);
        (SimulatedEnd from, SimulatedEnd to) = (c.Ends[sender], c.Ends[1 - sender]);
        int size = r.Next(150_000, 500_000);
        to.Buffer = r.Next(12_000, 60_000);
        (from.ProbeBytes, from.ByteAlone) = (1, r.Chance(0.5));
        double all = 0;
        int stops = r.Next(1, 4);
        for (int i = 0; i < stops; i++)
        {
            double ms = r.Between(600, 5000) + (8 * c.OneWayMs);
            all += ms;
            to.OnReceived((int)(size * (i + r.Between(0.1, 0.5)) / (stops + 1)), () => to.Stop(ms));
        }

        Bulk(c, sender, size);
        double round = 2 * c.OneWayMs;
        return new HoldOutCase().With(c).None("LT121 LT122 LT101 LT102 LT123").NoHarmfulAcks()
            .Has(from.Closed.Ms > 250 ? "LT112" : "LT111 LT112", Of(1 - sender), 0.1, all + (stops * ((2 * round) + 5)) + (from.Closed.Ms > 250 ? 0 : 1e9))
            .Has("LT111 LT112", Of(1 - sender), (0.9 * from.Closed.Ms) - (stops * ((2 * round) + 2)), double.MaxValue);
    }

    private static HoldOutCase CoalescedRepair(Random r)
    {
        SimulatedConnection c = Path(r, 0.1, 40);
        int n = r.Next(20, 50);
        int pieces = r.Next(2, 4);
        c.Client.Coalesces = true;
        (double think, int[] sizes) = (r.Between(0.05, 3), [.. Enumerable.Range(0, pieces).Select(_ => r.Next(30, 420))]);
        int total = sizes.Sum();
        HashSet<int> lost = [.. Enumerable.Range(0, r.Next(1, 5)).Select(_ => r.Next(3, n))];
        Dictionary<int, int> piece = lost.ToDictionary(l => l, _ => r.Next(pieces - 1));
        HashSet<long> dropped = [];
        c.Loses = p => p is { Side: 0, Length: > 0 } && lost.Contains((int)(p.From / total)) && p.From % total == sizes.Take(piece[(int)(p.From / total)]).Sum() && dropped.Add(p.From);
        Exchange(c, 0, n, _ => sizes, _ => [r.Next(50, 1200)], _ => think, _ => r.Between(0.1, 30));
        double round = 2 * c.OneWayMs;
        return new HoldOutCase().With(c).None("LT122 LT101 LT102" + (think < 2 ? " LT141" : "")).NoHarmfulAcks()
            .Has("LT121", null, (0.85 * c.Client.Timeouts.Ms) - (lost.Count * round), (1.02 * c.Client.Timeouts.Ms) + (lost.Count * (round + 1)), count: lost.Count);
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
        (double low, double high) = (0.85 * (from.SilentMs - (from.Timeouts.Count * round)), (1.02 * from.Timeouts.Ms) + (from.Timeouts.Count * ((3 * round) + 2)));
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
            OneWayMs = p.OneWayMs, Timestamps = p.Timestamps, Sack = p.Sack, Scale = p.Scale, Number = p.Number, Numbered = numbered,
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
        HoldOutCase judged = new HoldOutCase().With(c).AtMostPossible("LT121", tap: 0).None("LT122 LT101 LT102").NoHarmfulAcks()
            .Has("LT121", Side.Network, 0.85 * (ms - (late.Count * round)), 1.02 * (ms + (late.Count * (round + 1))), tap: 1, count: late.Count);
        // Chance has silences in which numbers are missing, too: too few that are most of the time show nothing.
        double chance = Math.Pow(ms / c.LastMs, late.Count);
        return numbered && chance is > 0.1 and < 0.3 ? judged : numbered && chance < 0.2
            ? judged.Has("LT121", Side.Network, 0.85 * (ms - (late.Count * round)), 1.02 * (ms + (late.Count * (round + 1))), Confidence.Possible, tap: 0, count: late.Count)
            : judged.None("LT121", tap: 0);
    }

    private static HoldOutCase PauseInResponse(Random r)
    {
        int n = r.Next(40, 90);
        HashSet<int> late = [.. Enumerable.Range(0, r.Next(2, 6)).Select(_ => r.Next(12, n))];
        SimulatedConnection c = TwoSegments(r, n, r.Between(150, 900), late, r.Chance(0.7), out _);
        return new HoldOutCase().With(c).None("LT121 LT122 LT101 LT102").NoHarmfulAcks();
    }

    private static HoldOutCase FullQueue(Random r, bool fixedWindow)
    {
        int sender = r.Next(2);
        double rate = r.Between(400, 1500);
        double oneWay = r.Between(2, 10);
        double round = 2 * oneWay;
        SimulatedConnection c = new(r)
        {
            OneWayMs = oneWay, Timestamps = r.Chance(0.5), Sack = true, Scale = 7, Rate = sender == 0 ? [rate, 0] : [0, rate],
        };
        (c.Client.AckMs, c.Server.AckMs) = (40, 40);
        double queueMs = Math.Max(r.Between(80, 140), 3.5 * round);
        if (fixedWindow)
        {
            c.Ends[1 - sender].Buffer = (long)(rate * (round + queueMs));
        }
        else
        {
            c.Ends[sender].FirstWindow = 10;
            c.Ends[1 - sender].Buffer = (long)(rate * (round + r.Between(400, 900)));
        }

        Bulk(c, sender, (int)(rate * r.Between(3000, 5000)));
        return new HoldOutCase().With(c).None("LT111 LT112 LT114 LT101 LT102 LT121 LT122").NoHarmfulAcks().OnlyInfo("LT113").None("LT113", tap: sender)
            .Has("LT132", null, 0.1, double.MaxValue, tap: sender);
    }

    private static HoldOutCase StretchedAcks(Random r)
    {
        int sender = r.Next(2);
        bool varies = r.Chance(0.5);
        double timer = r.Between(varies ? 30 : 21, varies ? 100 : 130);
        SimulatedConnection c = Path(r, 0.1, timer / 8, scale: 7);
        SimulatedEnd to = c.Ends[1 - sender];
        (to.AckMs, to.StretchMs) = (200, () => varies ? r.Between(0.7, 1.3) * timer : timer);
        (c.Ends[sender].LeastTimerMs, c.Ends[sender].FirstWindow) = (600, r.Pick(4, 10));
        Bulk(c, sender, r.Next(250_000, 600_000));
        double round = 2 * c.OneWayMs;
        double due = to.Late.Ms;
        return new HoldOutCase().With(c).None("LT101 LT102 LT111 LT112 LT121 LT122 LT132")
            .Has("LT103", Of(1 - sender), 0.5 * due, (1.1 * due) + (to.Late.Count * round), Confidence.Possible)
            .Wants(null, result => result.Findings.Where(f => f.Id is "LT113" or "LT114").Sum(f => f.CostMs ?? 0) is var rest && rest > (to.Late.Count * 1.5 * (round + 1)) + (0.1 * due)
                ? FormattableString.Invariant($"LT113 and LT114 have {rest:0.0} ms of {due:0.0}") : null);
    }

    private static HoldOutCase UnknownScale(Random r)
    {
        int sender = r.Next(2);
        SimulatedConnection p = Path(r, 2, 60);
        SimulatedConnection c = new(r) { OneWayMs = p.OneWayMs, Timestamps = p.Timestamps, Sack = p.Sack, Scale = r.Next(1, 10), Number = p.Number };
        (c.Client.AckMs, c.Server.AckMs) = (40, 40);
        c.Ends[1 - sender].Buffer = r.Next(6_000, 200_000);
        Bulk(c, sender, r.Next(400_000, 1_200_000));
        return new HoldOutCase { Handshake = false }.With(c).AtMostPossible("LT111 LT112").OnlyInfo("LT111 LT112").None("LT101 LT102 LT121 LT122");
    }

    private static HoldOutCase BlockingSends(Random r)
    {
        SimulatedConnection c = Path(r, 0.5, 40);
        // Nagle's algorithm would hold the end of a chunk that is no multiple of a segment.
        (int chunk, c.Client.Nagle) = r.Pick((r.Next(5, 40) * 1024, false), (r.Next(6_000, 40_000), false), (r.Pick(r.Next(4, 10), r.Next(11, 28)) * c.Mss, true));
        c.Server.AckMs = 0;
        c.Client.FirstWindow = r.Pick(10, 40);
        int n = r.Next(20, 60);
        double waited = 0;
        c.Run(0, () => c.After(1, () => Send(0)));
        return new HoldOutCase().With(c).None("LT101 LT102 LT111 LT112 LT121 LT122 LT132").NoHarmfulAcks()
            .Has("LT114", Side.Client, 0.75 * waited, (1.02 * waited) + n, tap: 0);

        void Send(int i)
        {
            double began = c.NowMs;
            c.Client.Write(chunk, () =>
            {
                waited += i + 1 < n ? c.NowMs - began : 0;
                if (i + 1 < n)
                {
                    c.After(0.03, () => Send(i + 1));
                }
            });
        }
    }

    private static HoldOutCase ClientPauses(Random r)
    {
        SimulatedConnection c = Path(r, 1, 40);
        c.Server.Buffer = r.Pick(4 << 20, r.Next(20_000, 60_000));
        int n = r.Next(6, 20);
        double pause = r.Between(30, 300);
        double paused = 0;
        Exchange(c, 0, n, _ => [r.Next(20_000, 150_000)], _ => [r.Next(100, 600)], pauseMs: _ =>
        {
            double ms = pause * r.Between(0.5, 1.5);
            paused += ms;
            return ms;
        });
        double most = paused + (n * (1 + (3 * c.JitterMs)));
        return new HoldOutCase().With(c).None("LT101 LT102 LT121 LT122 LT141").NoHarmfulAcks()
            .Wants(null, result => result.Findings.Where(f => f.Id == "LT142").Sum(f => f.CostMs ?? 0) is var ms && ms > most
                ? FormattableString.Invariant($"LT142 {ms:0.0} ms of {paused:0.0}") : null);
    }

    private static HoldOutCase NagleAgainstTimer(Random r) => Deadlocks(r, r.Spread(0.2, 200), r.Pick(40, 50, 100, 200), false);

    private static HoldOutCase NagleAgainstTick(Random r) => Deadlocks(r, r.Spread(0.2, 15), 200, true);

    private static HoldOutCase NaglePrompt(Random r) => Deadlocks(r, r.Spread(1, 120), 0, false);

    private static HoldOutCase Deadlocks(Random r, double roundMs, double timerMs, bool tick)
    {
        int side = r.Chance(0.7) ? 0 : 1;
        SimulatedConnection c = Path(r, roundMs / 2, roundMs / 2);
        (SimulatedEnd splits, SimulatedEnd delays) = (c.Ends[side], c.Ends[1 - side]);
        (splits.Nagle, delays.AckMs, delays.Ticks) = (true, timerMs, tick);
        int n = r.Next(15, 50);
        Exchange(
            c, 0, n, _ => side == 0 ? Halves(r) : [r.Next(40, 900)], _ => side == 1 ? Halves(r) : [r.Next(30, 1200)], thinkMs: _ => r.Between(0.02, 0.5),
            pauseMs: _ => tick ? r.Between(1, 170) : r.Between(0.05, 2));
        double slack = 0.2 * n;
        // Holds of a few milliseconds show beside the sender only.
        return new HoldOutCase { Taps = roundMs + timerMs > 4 ? [0, 1] : [side] }.With(c).None("LT121 LT122 LT111 LT112 LT141").NoHarmfulAcks()
            .Has("LT101 LT102", Of(side), (0.97 * splits.Held.Ms) - slack, (1.03 * splits.Held.Ms) + slack)
            .Wants(null, result => timerMs > 1.2 * roundMs && result.Findings.All(f => f.Id != "LT101") ? "no LT101" : timerMs == 0 && result.Findings.Any(f => f.Id == "LT101") ? "LT101" : null)
            .Wants(null, result => result.Findings.Where(f => f.Id is "LT101" or "LT102").Sum(f => f.Predictions.Sum(p => p.SavesMs)) is var saves
                && Math.Abs(saves - splits.Held.Ms) > (0.06 * splits.Held.Ms) + slack ? FormattableString.Invariant($"cure saves {saves:0.0} ms, held {splits.Held.Ms:0.0}") : null);
    }

    private static HoldOutCase OneDeadlock(Random r)
    {
        double timer = r.Pick(40, 50, 100, 200, 200);
        double round = r.Spread(0.2, timer / 16);
        SimulatedConnection c = Path(r, round / 2, round / 2);
        (c.Client.Nagle, c.Server.AckMs) = (true, timer);
        int n = r.Next(1, 3);
        int at = r.Next(n);
        Exchange(c, 0, n, i => i == at ? Halves(r) : [r.Next(40, 1200)], _ => [r.Next(30, 1200)]);
        return new HoldOutCase().With(c).None("LT121 LT122 LT111 LT112 LT141").NoHarmfulAcks()
            .Has("LT101", Side.Client, timer, c.Client.Held.Ms + 0.5, Confidence.Possible, count: 1);
    }

    private static HoldOutCase HoldAtEachServer(Random r)
    {
        double timer = r.Pick(40, 50, 100, 200);
        int servers = r.Next(8, 16);
        double round = r.Spread(0.4, 30);
        double held = 0;
        HoldOutCase judged = new();
        int first = r.Next(1, 200);
        bool timestamps = r.Chance(0.5);
        for (int i = 0; i < servers; i++)
        {
            SimulatedConnection c = new(r)
            {
                OneWayMs = round * r.Between(0.4, 0.6), Servers = true, Number = first + i, Timestamps = timestamps, Scale = 7,
            };
            (c.Client.Nagle, c.Server.AckMs, c.Client.AckMs, c.Client.LeastTimerMs, c.Client.ReactsMs) = (true, timer, 200, 500, 0.02);
            c.Server.LeastTimerMs = 500;
            int at = r.Next(3);
            Exchange(c, i * r.Between(100, 400), 3, n => n == at ? Halves(r) : [r.Next(40, 1200)], _ => [r.Next(30, 1200)]);
            held += c.Client.Held.Ms;
            judged.With(c);
        }

        return judged.None("LT121 LT122 LT111 LT112 LT141").NoHarmfulAcks().Has("LT101 LT102", Side.Client, (0.97 * held) - servers, (1.03 * held) + servers, count: servers);
    }

    private static HoldOutCase ClientThinks(Random r)
    {
        SimulatedConnection c = Path(r, 0.2, 30);
        (double timer, int n) = (c.Client.AckMs, r.Next(12, 40));
        double paused = 0;
        Exchange(c, 0, n, _ => [r.Next(40, 1200)], _ => [r.Next(40, 1300)], pauseMs: _ =>
        {
            double ms = r.Chance(0.6) ? (timer * r.Between(1.2, 2)) + 20 : r.Between(5, timer);
            paused += ms;
            return ms;
        });
        return new HoldOutCase().With(c).None("LT101 LT102 LT121 LT122 LT141 LT111 LT113 LT114").NoHarmfulAcks()
            .Has("LT142", Side.Client, 0.9 * paused, (1.02 * paused) + n);
    }

    private static HoldOutCase ClientThinksServerSplits(Random r)
    {
        SimulatedConnection c = Path(r, 0.2, 20);
        (double timer, int n) = (c.Client.AckMs, r.Next(20, 60));
        c.Server.Nagle = true;
        Exchange(c, 0, n, _ => [r.Next(40, 1200)], i => i % 2 == 0 ? Halves(r) : [r.Next(40, 1300)], pauseMs: _ => r.Between(0.3, 0.9) * timer);
        return new HoldOutCase().With(c).None("LT121 LT122 LT141 LT111 LT113 LT114").NoHarmfulAcks()
            .Has("LT101", Side.Server, (0.97 * c.Server.Held.Ms) - n, (1.03 * c.Server.Held.Ms) + n)
            .Wants(0, result => result.Evidence[0].TimerOf(result.Evidence[0].Connections[0].Client)?.Known?.ClusterMs is var ms && ms != timer ? $"timer {ms} ms, not {timer}" : null);
    }

    private static HoldOutCase SynProxy(Random r)
    {
        SimulatedConnection c = new(r)
        {
            OneWayMs = r.Between(10, 60), ProxyMs = r.Between(0.2, 3), ServerTtl = (byte)r.Next(48, 60), Timestamps = false, Scale = 7,
        };
        (c.Client.AckMs, c.Server.AckMs) = (40, 40);
        int n = r.Next(20, 50);
        // Now and then the server thinks longer than its delayed ACK.
        Exchange(c, 0, n, _ => [r.Next(40, 1200)], _ => [r.Next(40, 1300)], thinkMs: _ => r.Chance(0.3) ? 45 + r.Between(0, 20) : 0.05, pauseMs: _ => r.Between(1, 60));
        double round = 2 * c.OneWayMs;
        return new HoldOutCase { Taps = [0] }.With(c).None("LT101 LT102 LT121 LT122 LT111 LT113").NoHarmfulAcks()
            .Wants(null, result => result.Evidence[0].Connections[0].ServerBaseNs is var ns && (ns is null || Math.Abs((ns.Value / 1e6) - round) > 0.2)
                ? FormattableString.Invariant($"base {ns / 1e6:0.00} ms, not {round:0.00}") : null);
    }

    private static HoldOutCase CoarseClock(Random r)
    {
        double step = r.Pick(1, 10, 15.625, 16);
        double round = r.Spread(0.2, 40);
        SimulatedConnection c = Path(r, round / 2, round / 2);
        double timer = r.Pick(40, 50, 100, 200);
        (c.Client.Nagle, c.Server.AckMs) = (true, timer);
        bool held = r.Chance(0.5);
        int n = held ? r.Next(4, 17) : r.Next(10, 60);
        Exchange(c, 0, n, _ => held ? Halves(r) : [r.Next(20, 1300)], _ => [r.Next(30, 1200)], thinkMs: _ => held ? 0.05 : r.Between(1, 60), pauseMs: _ => r.Between(1, 90));
        HoldOutCase judged = new HoldOutCase { StepMs = step }.With(c).AtMostPossible("LT101 LT102").None("LT121 LT122 LT111 LT112").NoHarmfulAcks();
        return held ? judged : judged.OnlyInfo("LT101 LT102 LT113 LT114");
    }

    private static HoldOutCase FirstResponse(Random r)
    {
        int conns = r.Next(3, 8);
        HoldOutCase judged = new();
        (double lost, double share, double served) = (0, 0, 0);
        bool timestamps = r.Chance(0.5);
        double oneWay = r.Spread(0.3, 10);
        int first = r.Next(1, 200);
        int unlucky = r.Next(conns);
        for (int i = 0; i < conns; i++)
        {
            SimulatedConnection c = new(r) { OneWayMs = oneWay, Timestamps = timestamps, Scale = 7, Number = first + i };
            (c.Client.AckMs, c.Server.AckMs, c.Client.LeastTimerMs, c.Server.LeastTimerMs) = (40, 40, r.Between(200, 500), 300);
            bool dropped = i != unlucky;
            c.Loses = p => p is { Side: 0, Length: > 0 } && !dropped && (dropped = true);
            double think = r.Between(400, 2500);
            double at = i * r.Between(300, 4000);
            Exchange(c, at, 1, _ => [r.Next(40, 1200)], _ => [r.Next(40, 1300)], thinkMs: _ => think);
            served += think;
            lost += c.Client.Timeouts.Ms;
            share = i == unlucky ? c.Client.Timeouts.Ms / (think + (2 * oneWay) + 1 + c.Client.Timeouts.Ms) : share;
            judged.With(c);
        }

        return judged.None("LT101 LT102 LT111 LT112 LT122").NoHarmfulAcks().Has("LT141", Side.Server, 0.95 * served, (1.02 * served) + conns, tap: 1)
            .Has("LT121", null, (0.9 * lost) - (2 * oneWay), (1.02 * lost) + (3 * oneWay), tap: 0)
            .Wants(0, result => result.Findings.FirstOrDefault(f => f.Id == "LT121")?.CostShare is var s && !(Math.Abs(s!.Value - share) < 0.03)
                ? FormattableString.Invariant($"share {s:0.000}, not {share:0.000}") : null);
    }

    private static HoldOutCase LateFirstRequest(Random r)
    {
        SimulatedConnection c = Path(r, 0.3, 20);
        double lead = r.Between(300, 4500);
        Exchange(c, 0, r.Next(1, 8), _ => [r.Next(40, 1200)], _ => [r.Next(40, 1300)], leadMs: lead);
        return new HoldOutCase().With(c).None("LT101 LT102 LT121 LT122 LT111 LT141").NoHarmfulAcks()
            .Has("LT142", Side.Client, 0.97 * (lead - (2 * c.OneWayMs)), lead + (4 * c.OneWayMs) + 20)
            .Wants(null, result => result.Evidence[0].Connections[0].ActiveNs / 1e6 < lead - (2 * c.OneWayMs) ? "the pause is not active" : null);
    }

    private static HoldOutCase GapInCapture(Random r)
    {
        double round = r.Spread(0.3, 30);
        SimulatedConnection c = Path(r, round / 2, round / 2);
        double timer = r.Pick(40, 50, 100, 200);
        (c.Client.Nagle, c.Server.AckMs) = (true, timer);
        int n = r.Next(20, 40);
        (int first, int last) = (r.Next(4, n / 2), 0);
        last = first + r.Next(1, n / 3);
        (double from, double to, double inside, double before) = (0, 0, 0, 0);
        Exchange(c, 0, n, i =>
        {
            if (i == first)
            {
                // Behind the first piece of one request.
                (from, before) = (c.NowMs + (timer * r.Between(0.2, 0.8)), c.Client.Held.Ms);
            }

            if (i == last + 1)
            {
                (to, inside) = (c.NowMs - (round * 0.01), c.Client.Held.Ms - before);
            }

            return Halves(r);
        }, _ => [r.Next(30, 1200)], pauseMs: _ => r.Between(round + 1, round + 30));
        c.Uncaptured = (from, to);
        double held = c.Client.Held.Ms - inside;
        int count = n - (last - first + 1);
        return new HoldOutCase().With(c).None("LT121 LT122 LT111 LT112 LT141").NoHarmfulAcks()
            .Has("LT101", Side.Client, (0.97 * held) - n - round - timer, (1.03 * held) + (0.2 * n))
            .Wants(null, result => result.Findings.Where(f => f.Id == "LT101").Sum(f => f.Count) is var told && (told > count || (told < count - 2 && timer > 1.2 * round))
                ? $"{told} holds, not {count}" : null);
    }

    private static HoldOutCase TranslatedTwice(Random r)
    {
        (string client, string server) = r.Chance(0.5) ? ("10.9.9.1", "10.0.0.2") : ("10.0.0.1", "192.168.7.7");
        SimulatedConnection c = Path(r, 0.3, 30);
        c.Client.Nagle = true;
        int n = r.Next(12, 30);
        Exchange(c, 0, n, _ => r.Chance(0.5) ? Halves(r) : [r.Next(40, 1200)], _ => [r.Next(30, 1200)], pauseMs: _ => r.Between(1, 30));
        double late = Math.Min(2, r.Spread(0.002, 0.8) * c.OneWayMs);
        byte[] once = File(null);
        return new HoldOutCase { File = _ => File(late), Taps = [0] }
            .Wants(null, result => Same(result.Findings, HoldOutCase.Analysed(once).Findings))
            .Wants(null, result => result.Evidence[0].Connections.Count != 1 ? $"{result.Evidence[0].Connections.Count} connections" : null);

        byte[] File(double? lateMs)
        {
            SegmentSequence sequence = new(c.Timestamps, c.Sack);
            foreach ((double at, bool inside, SimulatedPacket packet) in c.Packets(0).Select(p => (p.At, true, p.Packet))
                .Concat(lateMs is { } later ? c.Packets(0).Select(p => (p.At + (p.Packet.Side == 0 ? later : -later), false, p.Packet)) : []).OrderBy(p => p.Item1))
            {
                sequence.To(inside ? "10.0.0.2" : server, 40_000, inside ? "10.0.0.1" : client);
                packet.AddTo(sequence, at, c.Scale, c.Sack);
            }

            return sequence.Pcap();
        }
    }

    private static HoldOutCase TwiceInOneFile(Random r)
    {
        SimulatedConnection c = Path(r, 0.3, 30);
        c.Client.Nagle = r.Chance(0.5);
        bool loses = r.Chance(0.5);
        int n = r.Next(12, 30);
        c.Loses = p => loses && p is { Side: 0, Length: > 0 } && r.Chance(0.03);
        Exchange(c, 0, n, _ => r.Chance(0.5) ? Halves(r) : [r.Next(40, 1200)], _ => [r.Next(30, 1200)], pauseMs: _ => r.Between(1, 30));
        byte[] once = new HoldOutCase().With(c).Capture(0);
        bool merged = r.Chance(0.5);
        double later = r.Pick(0, 0, 0.03, 0.4);
        return new HoldOutCase { File = _ => Twice(), Taps = [0] }.Wants(null, result => Same(result.Findings, HoldOutCase.Analysed(once).Findings));

        byte[] Twice()
        {
            if (!merged)
            {
                return [.. once, .. once[24..]];
            }

            SegmentSequence sequence = new(c.Timestamps, c.Sack);
            foreach ((double at, SimulatedPacket packet) in c.Packets(0).Concat(c.Packets(0).Select(p => (p.At + later, p.Packet))).OrderBy(p => p.Item1))
            {
                sequence.To(c.ServerName, (ushort)(40_000 + c.Number));
                packet.AddTo(sequence, at, c.Scale, c.Sack);
            }

            return sequence.Pcap();
        }
    }

    private static string? Same(IReadOnlyList<Finding> findings, IReadOnlyList<Finding> others)
    {
        string[] both = [.. new[] { findings, others }.Select(fs => string.Join(", ", fs.Where(f => f.Id != "LT301").Select(f => FormattableString.Invariant($"{f.Id} {f.Side} {f.Confidence} x{f.Count} {f.CostMs:0.0} ms"))))];
        return both[0] != both[1] ? $"once: {both[1]}" : null;
    }

    private static HoldOutCase ChallengeAck(Random r)
    {
        double round = r.Spread(0.3, 80);
        double again = r.Pick(500.0, 1000, 3000) + r.Between(0, 100);
        SegmentSequence sequence = new SegmentSequence().Syn(0).FromServer(round, (uint)r.Next(100_000, 900_000_000), 0, (uint)r.Next(1_000_000, 900_000_000)).Syn(again).SynAck(again + round);
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
            .Has("LT121", null, late - varies, late + varies, tap: 0).Wants(0, result => result.Findings.Any(f => f is { Id: "LT121", Side: not null }) ? "a side" : null);
    }
}
