using LatencyTuner.Core.Capture;

namespace LatencyTuner.Core.Recordings.Captures;

/// <summary>
/// Collects by how much the local round trip of bulk data exceeds its base: a queue on the path. Samples are prompt ACKs of full segments;
/// near the receiver, where those see no queue, timestamp echoes of a sender that sends without a pause.
/// </summary>
internal static class QueuePass
{
    // Number of samples of which the shortest is taken, so that one slow answer does not count as a queue.
    private const int BlockLength = 8;

    // There is one echo in each round trip, so that many of them would hide a queue that grows. Few are enough where the sender's clock shows a delay too.
    private const int SureBlockLength = 2;
    private const int MostExcess = 4096;
    private const int MostPaths = 256;
    private const long LeastNs = 30_000_000;

    public static void Run(ConnectionPass part, Dictionary<(IpAddressValue From, IpAddressValue To), PathQueue> queues)
    {
        Span<PacketRecord> records = part.Records;
        for (int i = 0; i < records.Length; i++)
        {
            ref PacketRecord record = ref records[i];
            Answer(part, in record);
            if (record.Has(PacketTraits.Echo))
            {
                Echo(part, in record);
            }
            else if (record.Has(PacketTraits.Advancing) && !record.Has(PacketTraits.AmbiguousRtt) && record.SinceLastNs >= 0 && record.IsPureAck)
            {
                bool full = record.Covered > 1 || part.Acks[i] == AckClass.SecondSegment;
                if (full && !ReaderBehind(part, in record) && part.Acks[i] is AckClass.SecondSegment or AckClass.Immediate or AckClass.Unexplained)
                {
                    Add(
                        part, ref part.State.Receivers[record.Side].Answers, part.State.Facts.Sides[1 - record.Side],
                        ref part.State.Facts.Sides[1 - record.Side].ExcessNs, in record, BlockLength);
                    Queue(part, queues, in record);
                }
            }

            if (record.Has(PacketTraits.NewData))
            {
                part.State.Receivers[record.Side].LastDataNs = record.TimeNs;
            }
        }
    }

    /// <summary>
    /// True when the receiver's own window explains a late ACK: it has no room for four full segments. What little it allows makes no queue on the
    /// path; such a receiver acknowledges as slowly as it reads.
    /// </summary>
    private static bool ReaderBehind(ConnectionPass part, in PacketRecord record)
    {
        const int FewSegments = 4;
        return record.Window < FewSegments * part.Timing[1 - record.Side].Mss;
    }

    private static void Queue(ConnectionPass part, Dictionary<(IpAddressValue From, IpAddressValue To), PathQueue> queues, in PacketRecord record)
    {
        long baseNs = part.Timing[record.Side].BaseNs;
        if (record.SinceLastNs < Math.Max(2 * baseNs, baseNs + 5_000_000))
        {
            return;
        }

        TcpConnection c = part.Connection;
        (IpAddressValue, IpAddressValue) path = record.Side == 1 ? (c.ClientAddress, c.ServerAddress) : (c.ServerAddress, c.ClientAddress);
        if (!queues.TryGetValue(path, out PathQueue? queue))
        {
            if (queues.Count >= MostPaths)
            {
                return;
            }

            queues.Add(path, queue = new PathQueue());
        }

        queue.Add(record.TimeNs - record.SinceLastNs, record.TimeNs);
    }

    private static void Answer(ConnectionPass part, in PacketRecord record)
    {
        bool sample = record.Has(PacketTraits.Advancing) && !record.Has(PacketTraits.AmbiguousRtt | PacketTraits.Forced) && record.Covered > 0
            && record.SinceLastNs >= 0;
        if (!sample || part.Timing[record.Side].ShiftNs == 0)
        {
            return;
        }

        ref RoundTripBlock block = ref part.State.Receivers[record.Side].AllAnswers;
        ref CompactList<(long LeastNs, long StartNs, long EndNs)> answers = ref part.State.Facts.Sides[record.Side].Answers;
        if (block.Add(record.TimeNs, record.SinceLastNs, BlockLength) && answers.Count < MostExcess)
        {
            answers.Add((block.LeastNs, block.StartNs, record.TimeNs));
        }
    }

    private static void Echo(ConnectionPass part, in PacketRecord record)
    {
        ref ReceiverState state = ref part.State.Receivers[record.Side];
        bool steady = state.LastDataNs != 0 && record.TimeNs - state.LastDataNs <= record.SinceLastNs / 4;
        if (steady && record.Length >= part.Timing[record.Side].Mss)
        {
            bool late = 2 * part.Clocks[record.Side].LateNs(in record) >= record.SinceLastNs - part.Timing[record.Side].BaseNs;
            Add(
                part, ref state.Echoes, part.State.Facts.Sides[record.Side], ref part.State.Facts.Sides[record.Side].EchoExcessNs, in record,
                late ? SureBlockLength : BlockLength);
        }
    }

    private static void Add(ConnectionPass part, ref RoundTripBlock block, SideFacts facts, ref CompactList<long> excesses, in PacketRecord record, int length)
    {
        if (!block.Add(record.TimeNs, record.SinceLastNs, length))
        {
            return;
        }

        long path = part.Timing[0].BaseNs + part.Timing[1].BaseNs;
        long excess = block.LeastNs - part.Timing[record.Side].BaseNs;
        if (excesses.Count < MostExcess)
        {
            excesses.Add(excess);
        }

        if (excess >= Math.Max(LeastNs, 2 * path))
        {
            facts.BloatNs += Math.Max(0, record.TimeNs - block.StartNs);
        }
    }
}
