using LatencyTuner.Core.Findings;

namespace LatencyTuner.Tests.Recordings.Captures.HoldOut;

/// <summary>The kinds of captures with a known cause; the numbers of each are drawn.</summary>
internal static partial class HoldOutKinds
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
            OneWayMs = oneWay,
            JitterMs = r.Pick(0, 0, 1) * jitterShare * oneWay * r.NextDouble(),
            Timestamps = r.Chance(0.5),
            Sack = r.Chance(0.8),
            Scale = scale ?? r.Pick(0, 2, 7, 8),
            Rate = rate ?? [0, 0],
            Number = r.Next(1, 250),
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
        SimulatedConnection c, double atMs, int n, Func<int, int[]> ask, Func<int, int[]> answer, Func<int, double>? thinkMs = null,
        Func<int, double>? pauseMs = null, double leadMs = 1, double gapMs = 0.01)
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

    private static HoldOutCase FullQueue(Random r, bool fixedWindow)
    {
        int sender = r.Next(2);
        double rate = r.Between(400, 1500);
        double oneWay = r.Between(2, 10);
        double round = 2 * oneWay;
        SimulatedConnection c = new(r)
        {
            OneWayMs = oneWay,
            Timestamps = r.Chance(0.5),
            Sack = true,
            Scale = 7,
            Rate = sender == 0 ? [rate, 0] : [0, rate],
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
            .CostsAtMost("LT113 LT114", (to.Late.Count * 1.5 * (round + 1)) + (0.1 * due));
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
        int full = r.Pick(r.Next(4, 10), r.Next(11, 28)) * c.Mss;
        (int chunk, c.Client.Nagle) = r.Pick((r.Next(5, 40) * 1024, false), (r.Next(6_000, 40_000), false), (full, true));
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
            .CostsAtMost("LT142", most);
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

}
