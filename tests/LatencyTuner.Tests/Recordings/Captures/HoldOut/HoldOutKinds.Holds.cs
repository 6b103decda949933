using LatencyTuner.Core.Findings;

namespace LatencyTuner.Tests.Recordings.Captures.HoldOut;

/// <content>Holds of Nagle's algorithm, delayed ACKs, and what looks like them.</content>
internal static partial class HoldOutKinds
{
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
            .Wants(null, result => timerMs > 1.2 * roundMs && result.Findings.All(f => f.Id != "LT101") ? "no LT101"
                : timerMs == 0 && result.Findings.Any(f => f.Id == "LT101") ? "LT101" : null)
            .Wants(null, result => result.Findings.Where(f => f.Id is "LT101" or "LT102").Sum(f => f.Predictions.Sum(p => p.SavesMs)) is var saves
                && Math.Abs(saves - splits.Held.Ms) > (0.06 * splits.Held.Ms) + slack
                    ? FormattableString.Invariant($"cure saves {saves:0.0} ms, held {splits.Held.Ms:0.0}") : null);
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
            SimulatedConnection c = new(r) { OneWayMs = round * r.Between(0.4, 0.6), Servers = true, Number = first + i, Timestamps = timestamps, Scale = 7 };
            (c.Client.Nagle, c.Server.AckMs, c.Client.AckMs, c.Client.LeastTimerMs, c.Client.ReactsMs) = (true, timer, 200, 500, 0.02);
            c.Server.LeastTimerMs = 500;
            int at = r.Next(3);
            Exchange(c, i * r.Between(100, 400), 3, n => n == at ? Halves(r) : [r.Next(40, 1200)], _ => [r.Next(30, 1200)]);
            held += c.Client.Held.Ms;
            judged.With(c);
        }

        return judged.None("LT121 LT122 LT111 LT112 LT141").NoHarmfulAcks()
            .Has("LT101 LT102", Side.Client, (0.97 * held) - servers, (1.03 * held) + servers, count: servers);
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
            .Wants(0, result => result.Evidence[0].TimerOf(result.Evidence[0].Connections[0].Client)?.Known?.ClusterMs is var ms && ms != timer
                ? $"timer {ms} ms, not {timer}" : null);
    }

    private static HoldOutCase SynProxy(Random r)
    {
        SimulatedConnection c = new(r)
        {
            OneWayMs = r.Between(10, 60),
            ProxyMs = r.Between(0.2, 3),
            ServerTtl = (byte)r.Next(48, 60),
            Timestamps = false,
            Scale = 7,
        };
        (c.Client.AckMs, c.Server.AckMs) = (40, 40);
        int n = r.Next(20, 50);
        // Now and then the server thinks longer than its delayed ACK.
        Exchange(
            c, 0, n, _ => [r.Next(40, 1200)], _ => [r.Next(40, 1300)], thinkMs: _ => r.Chance(0.3) ? 45 + r.Between(0, 20) : 0.05,
            pauseMs: _ => r.Between(1, 60));
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
        Exchange(
            c, 0, n, _ => held ? Halves(r) : [r.Next(20, 1300)], _ => [r.Next(30, 1200)], thinkMs: _ => held ? 0.05 : r.Between(1, 60),
            pauseMs: _ => r.Between(1, 90));
        HoldOutCase judged = new HoldOutCase { StepMs = step }.With(c).AtMostPossible("LT101 LT102").None("LT121 LT122 LT111 LT112").NoHarmfulAcks();
        return held ? judged : judged.OnlyInfo("LT101 LT102 LT113 LT114");
    }
}
