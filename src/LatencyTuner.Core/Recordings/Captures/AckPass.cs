using LatencyTuner.Core.Capture;

namespace LatencyTuner.Core.Recordings.Captures;

/// <summary>Finds the reason for the time of every ACK, and collects the delays of late ACKs by host.</summary>
internal static class AckPass
{
    private const long LongDelayNs = 100_000_000;

    // Wireless links and cable modems gather ACKs for up to this time.
    private const long StretchNs = 20_000_000;

    // A host may delay its ACKs for up to this time (RFC 1122 4.2.3.2).
    private const long LongestDelayNs = 500_000_000;
    private const long PromptNs = 2_000_000;

    public static void Run(ConnectionPass part, CapturedHost client, CapturedHost server)
    {
        Span<PacketRecord> records = part.Records;
        for (int i = 0; i < records.Length; i++)
        {
            ref PacketRecord record = ref records[i];
            ref ReceiverState receiver = ref part.State.Receivers[record.Side];
            // The window of a SYN is not scaled.
            receiver.LargestWindow = record.Has(PacketTraits.Syn) ? 0 : Math.Max(receiver.LargestWindow, record.Window);
            if (record.Has(PacketTraits.NewData))
            {
                part.State.Receivers[1 - record.Side].AddData(in record, part.Timing[record.Side].Mss, part.Timing[0].BaseNs + part.Timing[1].BaseNs);
            }

            if (!record.Has(PacketTraits.Advancing))
            {
                continue;
            }

            uint bytes = receiver.Started ? record.Acknowledgement - receiver.Acknowledged : 0;
            ref SideTiming timing = ref part.Timing[record.Side];
            int mss = part.Timing[1 - record.Side].Mss;
            AckClass kind = Classify(in record, in timing, ref receiver, bytes, mss, part.State.Facts.Sides[record.Side].StretchedAcks > 0);
            (receiver.Started, receiver.Acknowledged, receiver.AckNs) = (true, record.Acknowledgement, record.TimeNs);
            if (record.SinceLastNs >= 0 && record.Covered > 0 && !record.Has(PacketTraits.AmbiguousRtt))
            {
                (receiver.AnsweredSentNs, receiver.AnsweredDelayNs) = (record.TimeNs - record.SinceLastNs, record.SinceLastNs - timing.BaseNs);
            }

            part.Acks[i] = kind;
            SideFacts facts = part.State.Facts.Sides[record.Side];
            CapturedHost host = record.Side == 0 ? client : server;
            if (kind == AckClass.Late && FollowedByOwnData(records, i, timing.BaseNs))
            {
                kind = part.Acks[i] = AckClass.Unexplained;
                host.AnsweredLate++;
            }

            host.Acks[(int)kind]++;
            if (record.SinceLastNs < 0 || record.Has(PacketTraits.AmbiguousRtt))
            {
                continue;
            }

            part.State.Facts.RoundTrips.Add(record.TimeNs - part.Connection.FirstNs, record.SinceLastNs);
            if (kind is AckClass.Late)
            {
                long delay = record.SinceFirstNs - timing.BaseNs;
                facts.LateAcks++;
                host.AddLate(record.TimeNs, delay);
                if (delay > LongDelayNs)
                {
                    facts.AcksAbove100Ms++;
                    host.AcksAbove100Ms++;
                }
            }
            else if (kind is AckClass.Stretched or AckClass.MaybeStretched)
            {
                facts.StretchedAcks++;
                receiver.StretchedRun++;
                host.AddStretched(record.TimeNs, part.Connection.Number, timing.ShiftNs == 0);
            }
            else
            {
                receiver.AddCarried(record.SinceFirstNs - timing.BaseNs, bytes, mss);
                AddPrompt(ref receiver, in record, in timing, kind, bytes);
            }
        }
    }

    private static void AddPrompt(ref ReceiverState receiver, in PacketRecord record, in SideTiming timing, AckClass kind, uint bytes)
    {
        // Beside the host, what an application took to answer says nothing about the path.
        if (record.Covered == 0 || (kind == AckClass.Piggyback && timing.ShiftNs == 0))
        {
            return;
        }

        receiver.AddRecent(record.TimeNs, record.SinceLastNs);
        if (record.SinceLastNs - timing.BaseNs <= Math.Max(PromptNs, timing.BaseNs / 4))
        {
            receiver.PromptAnswers++;
            receiver.StretchedRun = 0;
            receiver.PromptBytes = Math.Max(receiver.PromptBytes, bytes);
        }
    }

    private static AckClass Classify(in PacketRecord record, in SideTiming timing, ref ReceiverState receiver, uint bytes, int mss, bool held)
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
        if (bytes >= 2 * mss && Stretch(in record, in timing, ref receiver, bytes, mss, held) is var stretched and not AckClass.None)
        {
            return stretched;
        }

        if (two && record.SinceLastNs - timing.BaseNs <= timing.GuardNs)
        {
            return AckClass.SecondSegment;
        }

        long delay = record.SinceFirstNs - timing.BaseNs;
        // When all recent answers were about as slow, the path is slow, and no timer is the reason.
        return delay <= timing.GuardNs ? AckClass.Immediate
            : bytes < 2 * mss && !record.Has(PacketTraits.LeavesReceivedData) && delay - Queued(in record, ref receiver) > timing.GuardNs
                && receiver.RecentMinNs(record.TimeNs) - timing.BaseNs <= delay / 2 ? AckClass.Late
            : AckClass.Unexplained;
    }

    /// <summary>
    /// An ACK of two and more full segments is due at once. This one acknowledges all that had arrived, comes late, and neither unread data nor the path
    /// explains it: beside the host there is no path; elsewhere other answers of about the same time were prompt, of as much data too.
    /// </summary>
    /// <returns><see cref="AckClass.None"/> where the ACK is none of these.</returns>
    private static AckClass Stretch(in PacketRecord record, in SideTiming timing, ref ReceiverState receiver, uint bytes, int mss, bool held)
    {
        const int Few = 3;
        const int Run = 2;
        long sinceLast = receiver.BeforeProbeNs == 0 ? record.SinceLastNs : Math.Max(record.SinceLastNs, record.TimeNs - receiver.BeforeProbeNs);
        long late = sinceLast - timing.BaseNs;
        // A host that held ACKs of data that was read may make one when it has read only a part of just this data.
        bool slowReader = record.Window + (held ? bytes / 4 * 3 : bytes / 2) < receiver.LargestWindow;
        if (late < Math.Max(StretchNs, timing.BaseNs / 4) || late > LongestDelayNs || record.Has(PacketTraits.LeavesReceivedData) || slowReader)
        {
            return AckClass.None;
        }

        if (timing.ShiftNs == 0)
        {
            return AckClass.Stretched;
        }

        // On a slow path the ACKs of a flight come one after the other; something that gathers them lets several go at once.
        bool trickles = receiver.AckNs > record.TimeNs - (late * 3 / 4);
        bool often = receiver.PromptAnswers >= Few;
        long recent = receiver.RecentMinNs(record.TimeNs);
        if (trickles || (often && late <= timing.GuardNs) || (recent > 0 && recent - timing.BaseNs > late / 2))
        {
            return AckClass.None;
        }

        // A queue that comes and goes delays many in a row.
        bool between = often && recent > 0 && receiver.StretchedRun < Run && receiver.PromptBytes >= 2 * mss;
        bool all = SequenceNumber.LessOrEqual(receiver.DataEnd, record.Acknowledgement);
        return between ? AckClass.Stretched : all ? AckClass.MaybeStretched : AckClass.None;
    }

    /// <summary>
    /// True when the host sends data right behind its ACK, acknowledges nothing more with it, and nothing of the peer came meanwhile or just before: its
    /// application read and answered just then, and the read sent the ACK.
    /// </summary>
    private static bool FollowedByOwnData(Span<PacketRecord> records, int ack, long baseNs)
    {
        const long AtOnceNs = 1_000_000;
        ref PacketRecord late = ref records[ack];
        for (int i = ack - 1; i >= 0 && late.TimeNs - records[i].TimeNs <= AtOnceNs + baseNs; i--)
        {
            if (records[i].Side != late.Side)
            {
                return false;
            }
        }

        return ack + 1 < records.Length && records[ack + 1] is var next && next.Side == late.Side && next.TimeNs - late.TimeNs <= AtOnceNs
            && next.Has(PacketTraits.NewData) && next.Acknowledgement == late.Acknowledgement;
    }

    /// <summary>
    /// How long the data may have waited in a queue behind earlier data, nanoseconds. A receiver that delayed the ACK of the earlier data would have
    /// acknowledged both together if this data had arrived meanwhile. Separate ACKs mean that the path delayed this data.
    /// </summary>
    private static long Queued(in PacketRecord record, ref ReceiverState receiver)
    {
        bool meanwhile = receiver.AnsweredSentNs != 0 && record.TimeNs - record.SinceFirstNs - receiver.AnsweredSentNs < receiver.AnsweredDelayNs;
        return meanwhile ? receiver.AnsweredDelayNs : 0;
    }
}

/// <summary>The reason for the time of an ACK; the first that applies.</summary>
internal enum AckClass : byte
{
    /// <summary>Acknowledges nothing new.</summary>
    None,

    /// <summary>Sent with data, SYN, FIN or RST: never caused by a delayed-ACK timer, however late.</summary>
    Piggyback,

    /// <summary>Answers data out of order or sent again: due at once (RFC 5681 4.2).</summary>
    Forced,

    /// <summary>Answers a second segment, or two full ones (RFC 1122 4.2.3.2).</summary>
    SecondSegment,

    /// <summary>A pure ACK without delay.</summary>
    Immediate,

    /// <summary>A pure ACK of a lone segment, later than the path explains: a timer, or something unexplained.</summary>
    Late,

    /// <summary>Later than the path explains, but not by a timer: queueing or scheduling.</summary>
    Unexplained,

    /// <summary>A pure ACK of two or more full segments that the host held back, whatever the reason.</summary>
    Stretched,

    /// <summary>The same, but no other answer shows whether the path was slow then.</summary>
    MaybeStretched,
}
