using LatencyTuner.Core.Findings;
using LatencyTuner.Tests.Capture;

namespace LatencyTuner.Tests.Recordings.Captures.HoldOut;

/// <content>What a capture lacks or shows twice.</content>
internal static partial class HoldOutKinds
{
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
            .Wants(null, result => result.Findings.Where(f => f.Id == "LT101").Sum(f => f.Count) is var told
                && (told > count || (told < count - 2 && timer > 1.2 * round)) ? $"{told} holds, not {count}" : null);
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
            IEnumerable<(double At, bool Inside, SimulatedPacket Packet)> packets = c.Packets(0).Select(p => (p.At, true, p.Packet));
            if (lateMs is { } later)
            {
                packets = packets.Concat(c.Packets(0).Select(p => (p.At + (p.Packet.Side == 0 ? later : -later), false, p.Packet)));
            }

            foreach ((double at, bool inside, SimulatedPacket packet) in packets.OrderBy(p => p.At))
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
        return InWords(findings) != InWords(others) ? $"once: {InWords(others)}" : null;

        static string InWords(IReadOnlyList<Finding> told) => string.Join(
            ", ", told.Where(f => f.Id != "LT301").Select(f => FormattableString.Invariant($"{f.Id} {f.Side} {f.Confidence} x{f.Count} {f.CostMs:0.0} ms")));
    }
}
