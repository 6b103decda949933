using LatencyTuner.Core.Capture;

namespace LatencyTuner.Core.Analysis.Captures;

/// <summary>Says of every acknowledgement why it came when it came, and collects the delays of the late ones by host.</summary>
internal static class AckPass
{
    private const long LongDelayNs = 100_000_000;
    private const int BlockLength = 8;
    private const int MostExcess = 4096;

    public static void Run(Part part, HostFacts client, HostFacts server)
    {
        Span<PacketRecord> records = part.Records;
        for (int i = 0; i < records.Length; i++)
        {
            ref PacketRecord record = ref records[i];
            if (!record.Has(PacketTraits.Advancing))
            {
                continue;
            }

            ReceiverState receiver = part.State.Receivers[record.Side];
            uint bytes = receiver.Started ? record.Acknowledgement - receiver.Acknowledged : 0;
            (receiver.Started, receiver.Acknowledged) = (true, record.Acknowledgement);
            ref SideTiming timing = ref part.Timing[record.Side];
            int mss = part.Timing[1 - record.Side].Mss;
            AckClass kind = Classify(in record, in timing, receiver, bytes, mss);
            part.Acks[i] = kind;
            SideFacts facts = part.State.Facts.Sides[record.Side];
            HostFacts host = record.Side == 0 ? client : server;
            facts.Acks[(int)kind]++;
            host.Acks[(int)kind]++;
            if (record.SinceLastNs < 0 || record.Has(PacketTraits.AmbiguousRtt))
            {
                continue;
            }

            part.State.Facts.RoundTrips.Add(record.TimeNs - part.Connection.FirstNs, record.SinceLastNs);
            if (kind is AckClass.Late)
            {
                long delay = record.SinceFirstNs - timing.BaseNs;
                host.AddLate(delay);
                if (delay > LongDelayNs)
                {
                    facts.AcksAbove100Ms++;
                    host.AcksAbove100Ms++;
                }
            }
            else if (record.Covered > 0)
            {
                receiver.AddRecent(record.TimeNs, record.SinceLastNs);
            }

            if (kind is AckClass.SecondSegment or AckClass.Immediate or AckClass.Unexplained && bytes >= mss)
            {
                Block(part, receiver, in record);
            }
        }
    }

    private static AckClass Classify(in PacketRecord record, in SideTiming timing, ReceiverState receiver, uint bytes, int mss)
    {
        if (!record.IsPureAck)
        {
            return AckClass.Piggyback;
        }

        if (record.Has(PacketTraits.Forced | PacketTraits.AmbiguousRtt | PacketTraits.Sack))
        {
            return AckClass.Forced;
        }

        if (record.SinceFirstNs < 0 || record.SinceLastNs < 0 || record.Covered == 0 || !timing.BaseKnown || record.Has(PacketTraits.AcksUnseen))
        {
            return AckClass.None;
        }

        bool two = bytes >= 2 * mss || record.Covered >= 2;
        if (two && record.SinceLastNs - timing.BaseNs <= timing.GuardNs)
        {
            return AckClass.SecondSegment;
        }

        long delay = record.SinceFirstNs - timing.BaseNs;
        // Where every recent answer was about as slow, the path is, and no timer.
        return delay <= timing.GuardNs ? AckClass.Immediate
            : bytes < 2 * mss && receiver.RecentMinNs(record.TimeNs) - timing.BaseNs <= delay / 2 ? AckClass.Late
            : AckClass.Unexplained;
    }

    /// <summary>The local round trip is the least of a few, so that one slow answer is no queue.</summary>
    private static void Block(Part part, ReceiverState receiver, in PacketRecord record)
    {
        if (receiver.BlockCount == 0)
        {
            (receiver.BlockStartNs, receiver.BlockMinNs) = (record.TimeNs, long.MaxValue);
        }

        receiver.BlockMinNs = Math.Min(receiver.BlockMinNs, record.SinceLastNs);
        if (++receiver.BlockCount < BlockLength)
        {
            return;
        }

        receiver.BlockCount = 0;
        SideFacts sender = part.State.Facts.Sides[1 - record.Side];
        long path = part.Timing[0].BaseNs + part.Timing[1].BaseNs;
        long excess = receiver.BlockMinNs - part.Timing[record.Side].BaseNs;
        if (sender.ExcessNs.Count < MostExcess)
        {
            sender.ExcessNs.Add(excess);
        }

        if (excess >= Math.Max(30_000_000, 2 * path))
        {
            sender.BloatNs += Math.Max(0, record.TimeNs - receiver.BlockStartNs);
        }
    }
}
