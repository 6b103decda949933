using LatencyTuner.Core.Capture;

namespace LatencyTuner.Core.Recordings.Captures;

/// <summary>Finds connections that two captures share, and aligns the clocks by the fastest packets in each direction.</summary>
internal static class Pairing
{
    private const int FewestPackets = 4;
    private const long LongEnoughNs = 60_000_000_000;

    public static IReadOnlyList<CapturePair> Of(IReadOnlyList<(string Path, IReadOnlyList<ConnectionFacts> Connections)> captures)
    {
        List<CapturePair> pairs = [];
        for (int i = 0; i < captures.Count; i++)
        {
            for (int j = i + 1; j < captures.Count; j++)
            {
                Dictionary<(IpAddressValue, IpAddressValue, ushort, ushort), List<ConnectionFacts>> others = captures[j].Connections.GroupBy(Key)
                    .ToDictionary(g => g.Key, g => g.ToList());
                foreach (ConnectionFacts one in captures[i].Connections)
                {
                    if (others.TryGetValue(Key(one), out List<ConnectionFacts>? same)
                        && same.Select(o => Pair(captures[i].Path, one, captures[j].Path, o)).FirstOrDefault(p => p is not null) is { } pair)
                    {
                        pairs.Add(pair);
                    }
                }
            }
        }

        return pairs;
    }

    private static (IpAddressValue, IpAddressValue, ushort, ushort) Key(ConnectionFacts c) => (c.Client, c.Server, c.ClientPort, c.ServerPort);

    private static CapturePair? Pair(string pathA, ConnectionFacts a, string pathB, ConnectionFacts b)
    {
        // The capture with the shorter round trip to the client is the one nearer to the client.
        bool swap = (b.ClientBaseNs ?? long.MaxValue) < (a.ClientBaseNs ?? long.MaxValue);
        (ConnectionFacts client, ConnectionFacts server) = swap ? (b, a) : (a, b);
        Dictionary<PacketPrint, long> there = [];
        foreach (PacketPrint print in server.Prints.All)
        {
            there.TryAdd(print.Identity, print.TimeNs);
        }

        List<(long AtNs, long DeltaNs)> up = [];
        List<(long AtNs, long DeltaNs)> down = [];
        HashSet<PacketPrint> common = [];
        foreach (PacketPrint print in client.Prints.All)
        {
            if (there.TryGetValue(print.Identity, out long time) && common.Add(print.Identity))
            {
                (print.Side == 0 ? up : down).Add((print.TimeNs, time - print.TimeNs));
            }
        }

        if (up.Count + down.Count < FewestPackets || up.Count == 0 || down.Count == 0)
        {
            return null;
        }

        double skew = Skew(up, down);
        long start = Math.Min(up[0].AtNs, down[0].AtNs);
        long Flat((long AtNs, long DeltaNs) s) => s.DeltaNs - (long)((s.AtNs - start) * skew);
        long fastestUp = up.Min(Flat);
        long fastestDown = down.Max(Flat);
        long offset = fastestDown + ((fastestUp - fastestDown) / 2);
        return new CapturePair(client, server)
        {
            ClientPath = swap ? pathB : pathA,
            ServerPath = swap ? pathA : pathB,
            Packets = common.Count,
            OffsetNs = offset,
            UncertaintyNs = Math.Max(0, (fastestUp - fastestDown) / 2),
            SkewPpm = Span(up, down) >= LongEnoughNs ? skew * 1e6 : null,
            ToServerNs = [.. up.Select(s => Flat(s) - offset).Order()],
            ToClientNs = [.. down.Select(s => offset - Flat(s)).Order()],
            SameTimes = up.Concat(down).All(s => s.DeltaNs == up[0].DeltaNs),
            LostToServer = Lost(in client.Prints, 0, common, in server.Prints),
            LostToClient = Lost(in server.Prints, 1, common, in client.Prints),
        };
    }

    /// <summary>Number of data packets that only their sender's capture has.</summary>
    private static long Lost(in CompactList<PacketPrint> prints, byte side, HashSet<PacketPrint> common, in CompactList<PacketPrint> others)
    {
        bool whole = prints.Count < ConnectionFacts.MostPrints && others.Count < ConnectionFacts.MostPrints;
        return whole ? prints.All.Count(p => p.Side == side && p.Length > 0 && !common.Contains(p.Identity)) : 0;
    }

    private static long Span(List<(long AtNs, long DeltaNs)> up, List<(long AtNs, long DeltaNs)> down) =>
        Math.Max(up[^1].AtNs, down[^1].AtNs) - Math.Min(up[0].AtNs, down[0].AtNs);

    /// <summary>How the fastest packets drift apart over time: a line through the fastest packet of each tenth, for both directions.</summary>
    private static double Skew(List<(long AtNs, long DeltaNs)> up, List<(long AtNs, long DeltaNs)> down)
    {
        long span = Span(up, down);
        if (span < LongEnoughNs)
        {
            return 0;
        }

        return (Slope(up, span, least: true) + Slope(down, span, least: false)) / 2;
    }

    private static double Slope(List<(long AtNs, long DeltaNs)> samples, long span, bool least)
    {
        long start = samples[0].AtNs;
        (double X, double Y)[] extremes =
            [.. samples.GroupBy(s => (s.AtNs - start) * 10 / span).Select(g => least ? g.MinBy(s => s.DeltaNs) : g.MaxBy(s => s.DeltaNs))
                .Select(s => ((double)(s.AtNs - start), (double)s.DeltaNs))];
        if (extremes.Length < 3)
        {
            return 0;
        }

        double x = extremes.Average(e => e.X);
        double y = extremes.Average(e => e.Y);
        double below = extremes.Sum(e => (e.X - x) * (e.X - x));
        return below <= 0 ? 0 : extremes.Sum(e => (e.X - x) * (e.Y - y)) / below;
    }
}

/// <summary>One connection captured at two places, with aligned clocks. Times in nanoseconds.</summary>
/// <param name="Client">The connection in the capture nearer to the client.</param>
/// <param name="Server">The connection in the capture nearer to the server.</param>
internal sealed record CapturePair(ConnectionFacts Client, ConnectionFacts Server)
{
    public required string ClientPath { get; init; }
    public required string ServerPath { get; init; }
    public required long Packets { get; init; }

    /// <summary>True when every packet has the same time in both, or is apart by the same time: the captures were made at one place.</summary>
    public bool SameTimes { get; init; }

    /// <summary>How far the server's clock is ahead, and the uncertainty of this value.</summary>
    public required long OffsetNs { get; init; }
    public required long UncertaintyNs { get; init; }

    /// <summary>How much faster the server's clock runs, parts per million; null when the capture is too short.</summary>
    public double? SkewPpm { get; init; }

    /// <summary>One-way times, sorted.</summary>
    public required long[] ToServerNs { get; init; }
    public required long[] ToClientNs { get; init; }
    public long LostToServer { get; init; }
    public long LostToClient { get; init; }
}

/// <summary>What identifies a packet in two captures, and when it passed. NAT aside, nothing on the path changes these.</summary>
internal readonly record struct PacketPrint(uint Sequence, uint Acknowledgement, int Length, ushort IpId, byte Side, byte Flags, long TimeNs)
{
    /// <summary>Everything but the time.</summary>
    public PacketPrint Identity => this with { TimeNs = 0 };
}
