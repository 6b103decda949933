using LatencyTuner.Core.Capture;

namespace LatencyTuner.Core.Recordings.Captures;

/// <summary>
/// Losses of the end of a message before the tap. No copy of it passed here and nothing follows that would leave a hole, so the retransmission looks like
/// new data after a pause. Only the numbers of the sender's packets tell both apart: a pause uses none.
/// </summary>
internal static class TailLosses
{
    // The shortest tail-loss probe comes later than this (RFC 8985 7.2).
    private const long LeastNs = 10_000_000;

    // The first retransmission timeout where little is known about the path (RFC 6298 2.1). A longer silence is not the timer's alone.
    private const long LongestTimerNs = 1_000_000_000;
    private const int LookAhead = 64;

    // Windows begins with a time to live of 128, and numbers what it sends to a host together, datagrams of UDP too; routers lower it.
    private const byte OwnNumbersTtl = 64;

    /// <summary>Adds one packet of a sender at another place than the tap.</summary>
    public static void Number(ConnectionPass part, int index, in PacketRecord record)
    {
        int side = record.Side;
        ref LossState sender = ref part.State.Losses[side];
        ref LossState peer = ref part.State.Losses[1 - side];
        ushort before = sender.Numbers.LastId;
        long sinceNs = sender.Numbers.LastNs;
        (int mss, int least) = FullPackets(part, side);
        int missing = sender.Numbers.Add(in record, mss, least, LeastSilenceNs(part));
        if (missing == 0)
        {
            return;
        }

        bool plain = record.Has(PacketTraits.NewData)
            && !record.Has(
                PacketTraits.Overlap | PacketTraits.HoleFill | PacketTraits.AtZeroWindow | PacketTraits.WindowProbe | PacketTraits.KeepAlive
                | PacketTraits.AcksUnseen);
        // An ACK that was due uses a number as well, and its loss delays nothing.
        bool due = sender.Numbers.AskedNs > sinceNs || (peer.Started && (peer.AckNs == 0 || SequenceNumber.Less(peer.Acknowledged, peer.Highest)));
        // When a message began is unknown, so a silence before it says nothing about its first segment.
        bool begun = sender.NewNs != 0 && sender.NewNs > peer.NewNs;
        long path = part.Timing[0].BaseNs + part.Timing[1].BaseNs;
        long silenceNs = record.TimeNs - sinceNs;
        bool timer = silenceNs <= ((1 << missing) - 1) * Math.Max(LongestTimerNs, 4 * path);
        if (!plain || due || !begun || !timer || Arrives(part, index, before, record.IpId))
        {
            sender.Numbers.Skip();
            return;
        }

        sender.Numbers.Lost(silenceNs);
        part.Tails.Add(new Stall(sinceNs, record.TimeNs, StallKind.TailLoss, (byte)side));
    }

    /// <summary>
    /// The payload of full packets on the wire, largest and smallest, bytes. Without a handshake, the longest ones may be several that the capturing host
    /// joined, and then a path may carry less than Ethernet does: every IPv6 link carries 1280 bytes (RFC 8200 5).
    /// </summary>
    private static (int Largest, int Least) FullPackets(ConnectionPass part, int side)
    {
        const int LongestOptions = 40;
        const int SmallestLink = 1280 - 60;
        int longest = part.Timing[side].Mss;
        return part.Connection.Flow(side).SynSeen || longest <= SentData.EthernetMss ? (longest, Math.Max(1, longest - LongestOptions))
            : (SentData.EthernetMss, SmallestLink - LongestOptions);
    }

    /// <summary>Charges the silences of the part where the sender's numbers show a loss.</summary>
    public static void Judge(ConnectionPass part)
    {
        for (int i = 0; i < part.Tails.Count; i++)
        {
            int sender = part.Tails[i].Sender;
            if (part.State.Losses[sender].Numbers.Tell && part.Connection.Flow(sender).Ttl <= OwnNumbersTtl && !IsRhythm(part, in part.Tails[i]))
            {
                Charge(part, in part.Tails[i]);
            }
        }
    }

    /// <summary>
    /// True when most pauses of the sender are of just that length, and no number is missing in them: its application has a rhythm, and a timer that ends at
    /// such a time would be chance.
    /// </summary>
    private static bool IsRhythm(ConnectionPass part, in Stall tail)
    {
        const int Fewest = 10;
        const double Alike = 0.1;
        long silenceNs = tail.EndNs - tail.StartNs;
        (int alike, int others, long sentNs, ushort id) = (0, 0, long.MaxValue, 0);
        foreach (ref PacketRecord record in part.Records)
        {
            if (record.Side == tail.Sender)
            {
                long sinceNs = record.TimeNs - sentNs;
                bool like = Math.Abs(sinceNs - silenceNs) <= Alike * silenceNs;
                alike += like && record.Has(PacketTraits.NewData) && (ushort)(record.IpId - id) == 1 ? 1 : 0;
                others += !like && sinceNs > silenceNs / 2 ? 1 : 0;
                (sentNs, id) = (record.TimeNs, record.IpId);
            }
        }

        return alike >= Fewest && alike > others;
    }

    /// <summary>
    /// The numbers that are missing on one connection may be those of another one of the same host, which counts over both: it began meanwhile, with a number
    /// in between.
    /// </summary>
    public static void Correct(IReadOnlyList<ConnectionFacts> connections)
    {
        foreach (IGrouping<IpAddressValue, SideOfConnection> host in SideOfConnection.All(connections).GroupBy(s => s.Host)
            .Where(g => g.Any(s => s.Facts.TailLosses > 0)))
        {
            foreach (SideOfConnection side in host.Where(s => s.Facts.TailLosses > 0 && host.Any(o => BeginsInside(s, o))))
            {
                side.Facts.LostNoTails();
                LoneCopies.Forget(side.Connection, new Stall(0, 0, StallKind.TailLoss, (byte)side.Index).Key);
            }
        }
    }

    private static bool BeginsInside(SideOfConnection side, SideOfConnection other) =>
        other.Connection != side.Connection && other.Facts.Ids.First != 0
        && other.Connection.FirstNs > side.Connection.FirstNs && other.Connection.FirstNs < side.Connection.LastNs
        && (ushort)(other.Facts.Ids.First - side.Facts.Ids.First) < (ushort)(side.Facts.Ids.Last - side.Facts.Ids.First);

    private static void Charge(ConnectionPass part, in Stall tail)
    {
        SideFacts facts = part.State.Facts.Sides[tail.Sender];
        facts.TailLosses++;
        facts.LongestTailLossNs = Math.Max(facts.LongestTailLossNs, tail.EndNs - tail.StartNs);
        part.Stalls.Add(in tail);
    }

    /// <summary>A tail-loss probe comes after two round trips at least (RFC 8985 7.2), nanoseconds.</summary>
    public static long LeastSilenceNs(ConnectionPass part) => Math.Max(LeastNs, 2 * (part.Timing[0].BaseNs + part.Timing[1].BaseNs));

    /// <summary>True when a packet with one of the missing numbers comes soon after: it was overtaken and not lost.</summary>
    private static bool Arrives(ConnectionPass part, int index, ushort before, ushort after)
    {
        Span<PacketRecord> records = part.Records;
        for (int i = index + 1; i < Math.Min(records.Length, index + LookAhead); i++)
        {
            ushort id = records[i].IpId;
            if (records[i].Side == records[index].Side && id != 0 && (ushort)(id - before) < (ushort)(after - before) && id != before)
            {
                return true;
            }
        }

        return false;
    }
}
