using LatencyTuner.Core.Capture;

namespace LatencyTuner.Core.Recordings.Captures;

/// <summary>Distinguishes losses, reordering and spurious retransmissions (RFC 6298, RFC 6675, RFC 8985, RFC 2883).</summary>
internal static class LossPass
{
    private const int MostPrompt = 256;

    /// <summary>A host acknowledges with what it has received this long before, nanoseconds.</summary>
    private const long ProcessedNs = 5_000_000;

    /// <summary>Shorter than the shortest retransmission timer, also on a clock with coarse ticks, nanoseconds.</summary>
    public const long HastyNs = TcpConnection.ShortestRtoNs * 9 / 10;

    /// <summary>A receiver that answers in less is on the machine that captured, or one cable away, nanoseconds.</summary>
    public const long BesideNs = 100_000;

    /// <summary>A base round trip below this is only the host's own reaction time, nanoseconds.</summary>
    public const long ShortestPathNs = 200_000;

    public static void Run(ConnectionPass part)
    {
        Span<PacketRecord> records = part.Records;
        part.Tails.Clear();
        PeerSigns.FindStrangers(part);
        part.State.Facts.Sides[0].LoneCopies.Add(part, 0);
        part.State.Facts.Sides[1].LoneCopies.Add(part, 1);
        for (int i = 0; i < records.Length; i++)
        {
            ref PacketRecord record = ref records[i];
            if (record.Has(PacketTraits.ClockAhead))
            {
                part.Leaps.Add((i > 0 ? records[i - 1].TimeNs : part.State.Messages.LastNs, record.TimeNs));
            }

            Number(part, i, in record);
            part.State.Losses[1 - record.Side].PeerUnseen = false;
            PeerSigns.Hear(part, in record);
            part.State.Losses[record.Side].PeerUnseen |= record.Has(PacketTraits.AcksUnseen);
            part.State.Losses[record.Side].Closed |= record.Has(PacketTraits.Fin);
            ref LossState other = ref part.State.Losses[1 - record.Side];
            (other.PeerReset, other.ResetAcknowledges) =
                (record.Has(PacketTraits.Rst), record.Has(PacketTraits.Ack) ? record.Acknowledgement : null);
            if (record.Length > 0)
            {
                Data(part, i, ref record);
                ref LossState sent = ref part.State.Losses[record.Side];
                // The beginning of a response passes one round trip behind its request at the earliest.
                long answerNs = part.State.Losses[1 - record.Side].NewNs + part.Timing[record.Side].BaseNs;
                sent.BelowGapNs = record.Has(PacketTraits.AboveGap) ? Math.Max(sent.NewNs, Math.Min(answerNs, record.TimeNs)) : sent.BelowGapNs;
                if (IsProbeAboveGap(part, in record, in sent))
                {
                    (sent.ProbeNs, sent.BeforeProbeNs) = (record.TimeNs, sent.BelowGapNs);
                }

                (sent.SentNs, sent.NewNs) = (record.TimeNs, record.Has(PacketTraits.NewData) ? record.TimeNs : sent.NewNs);
                sent.SentIpId = record.IpId;
            }

            if (record.Has(PacketTraits.Ack))
            {
                Ack(part, in record);
            }
        }

        TailLosses.Judge(part);
    }

    /// <summary>
    /// True for a tail-loss probe (RFC 8985 7.3) whose first copy was lost with what is missing below it: after the silence of its timer it comes with a
    /// number that leaves room for one packet more than the gap has, or for a probe or two before it.
    /// </summary>
    private static bool IsProbeAboveGap(ConnectionPass part, in PacketRecord record, in LossState loss)
    {
        const int MostProbes = 3;
        long silenceNs = record.TimeNs - loss.BelowGapNs;
        int mss = part.Timing[record.Side].Mss;
        int more = loss.Numbers.Step - 1 - ((loss.GapBytes + mss - 1) / mss);
        return loss is { GapBytes: > 0, InRecovery: false, Numbers.OneByOne: true } && silenceNs >= TailLosses.LeastSilenceNs(part)
            && silenceNs <= LossRepairs.TimerNs(part) + part.Timing[0].BaseNs + part.Timing[1].BaseNs
            && more is > 0 and <= MostProbes;
    }

    private static void Number(ConnectionPass part, int index, in PacketRecord record)
    {
        ref PacketNumbers peer = ref part.State.Losses[1 - record.Side].Numbers;
        peer.AskedNs = record.Length > 0 || record.Has(PacketTraits.Fin | PacketTraits.Syn | PacketTraits.KeepAlive) ? record.TimeNs : peer.AskedNs;
        if (part.Timing[record.Side].ShiftNs > 0 && !part.Connection.Flow(record.Side).IsProxied)
        {
            TailLosses.Number(part, index, in record);
        }
    }

    /// <summary>True when SACK blocks, which were captured, show what is missing.</summary>
    public static bool Sacks(ConnectionPass part) => part.Connection is { FromClient.SackPermitted: true, FromServer.SackPermitted: true, OptionsCut: false };

    private static void Ack(ConnectionPass part, in PacketRecord record)
    {
        ref LossState loss = ref part.State.Losses[1 - record.Side];
        if (loss.AckNs == 0)
        {
            loss.Acknowledged = record.Acknowledgement;
        }

        bool sacks = Sacks(part);
        if (record.Has(PacketTraits.Advancing))
        {
            if (record.Has(PacketTraits.AcksHole) && record.IsPureAck)
            {
                RepairUnseen(part, in record, ref loss);
            }

            // Duplicate ACKs, then an ACK of everything without a retransmission: the data had only been overtaken.
            bool evidence = sacks ? loss.SackSeen : loss.DuplicateAcks > 0;
            bool hole = record.IsPureAck && record.Has(PacketTraits.AcksHole);
            if (evidence && !hole && !record.Has(PacketTraits.AmbiguousRtt | PacketTraits.Forced | PacketTraits.AcksUnseen) && record.Covered > 0)
            {
                part.State.Facts.Sides[1 - record.Side].Reorderings++;
            }

            if (record.Covered % 2 == 1 && !loss.InRecovery && record.Acknowledgement == loss.Highest)
            {
                (loss.OddAcks, loss.LongestOddNs) = (loss.OddAcks + 1, Math.Max(loss.LongestOddNs, record.TimeNs - loss.SentNs));
            }

            loss.ClearEvidence();
            loss.Length.Acknowledged(in record, loss.Highest);
            loss.Answer();
            part.State.Facts.AddWait(ref loss, 1 - record.Side, record.TimeNs);
            (loss.Acknowledged, loss.AdvancedNs) = (record.Acknowledgement, record.TimeNs);
            if (loss.InRecovery && SequenceNumber.LessOrEqual(loss.RecoveryEnd, record.Acknowledgement))
            {
                loss.InRecovery = false;
            }
        }

        bool sack = record.Has(PacketTraits.Sack) && !record.Has(PacketTraits.DuplicateSack);
        if (sack || (record.Has(PacketTraits.DuplicateAck) && !record.Has(PacketTraits.DuplicateSack) && record.Window > 0))
        {
            loss.DuplicateAcks += record.Has(PacketTraits.Advancing) ? 0 : 1;
            loss.SackSeen |= sack;
            loss.SackedBytes = sack ? Math.Max(loss.SackedBytes, record.SackBytes) : loss.SackedBytes;
            (loss.EvidenceNs, loss.EvidenceTimestamp) =
                loss.EvidenceNs == 0 ? (record.TimeNs, record.TimestampValue) : (loss.EvidenceNs, loss.EvidenceTimestamp);
        }

        (loss.AckNs, loss.AckWindow) = (record.TimeNs, record.Window);
    }

    /// <summary>
    /// The receiver acknowledges what fills a hole, after the silence of a timer, and the capture lacks it: a retransmission came that was not captured. A late
    /// ACK that only opens the window has another window; without a hole it may be new data that the capture lacks. A receiver that lacks data says so as soon
    /// as something beyond it comes (RFC 5681 4.2): without such an ACK it had all, and its late ACK is a delayed one.
    /// </summary>
    private static void RepairUnseen(ConnectionPass part, in PacketRecord record, ref LossState loss)
    {
        long sinceNs = Math.Max(loss.SentNs, loss.AckNs);
        bool hole = loss.Started && SequenceNumber.LessOrEqual(record.Acknowledgement, loss.Highest);
        bool sacked = loss.SackSeen || (record.Has(PacketTraits.Sack) && !record.Has(PacketTraits.DuplicateSack));
        bool shown = sacked || loss.DuplicateAcks > 0 || (record.Window == loss.AckWindow && loss.AckNs > loss.NewNs);
        if (!hole || !shown || sinceNs == 0 || loss.AckNs == 0 || record.TimeNs - sinceNs < LossRepairs.TimerNs(part))
        {
            return;
        }

        SideFacts facts = part.State.Facts.Sides[1 - record.Side];
        facts.Timeouts++;
        facts.UnseenRepairs++;
        facts.UnsureRepairs += sacked ? 0 : 1;
        (loss.InRecovery, loss.RecoveryEnd, loss.ByTimeout) = (true, loss.Highest, true);
        part.Stalls.Add(new Stall(sinceNs, record.TimeNs, StallKind.LossRto, (byte)(1 - record.Side)));
    }

    private static void Data(ConnectionPass part, int index, ref PacketRecord record)
    {
        int side = record.Side;
        ref LossState loss = ref part.State.Losses[side];
        SideFacts facts = part.State.Facts.Sides[side];
        // What a host answers with RSTs alone is of no connection: nothing of it can be lost or answered otherwise.
        if (record.Has(PacketTraits.WindowProbe | PacketTraits.KeepAlive | PacketTraits.Syn) || (loss.Unknown && loss.AckNs == 0)
            || (record.Has(PacketTraits.AtZeroWindow) && record.Has(PacketTraits.Retransmission)))
        {
            return;
        }

        loss.GapBytes = loss.Started && record.Has(PacketTraits.AboveGap) ? SequenceNumber.Beyond(record.Sequence, loss.Highest) : 0;
        if (!loss.Started || SequenceNumber.Less(loss.Highest, record.End))
        {
            (loss.Started, loss.Highest) = (true, record.End);
        }

        if (loss.PeerReset && record.Has(PacketTraits.Retransmission)
            && (LossRepairs.IsBeside(part, 1 - side) || SequenceNumber.Less(record.Sequence, loss.ResetAcknowledges ?? record.End)))
        {
            // It had arrived, or begins with what had, and its receiver has reset the connection.
            facts.SpuriousRetransmissions++;
            return;
        }

        if (loss.Length.Explains(in record, loss.Acknowledged, loss.Highest, part.Timing[side].Mss))
        {
            return;
        }

        if (record.IsSentAgain && RepairSigns.IsSamePacket(part, index))
        {
            facts.SamePackets++;
        }
        else if (record.Has(PacketTraits.HoleFill))
        {
            Fill(part, index, in record, ref loss, facts);
        }
        else if (record.Has(PacketTraits.NewData) && record.Has(PacketTraits.Overlap))
        {
            Coalesced(part, index, in record, ref loss, facts);
        }
        else if (record.Has(PacketTraits.Retransmission))
        {
            bool beside = (part.Timing[1 - side].ShiftNs == 0 && part.Timing[side].ShiftNs > 0)
                || (part.Timing[1 - side] is { BaseKnown: true, BaseNs: < BesideNs } && Hasty(in record, in loss));
            if (RepairSigns.IsTooEarly(in record, in loss))
            {
                return;
            }

            bool damaged = record.Has(PacketTraits.LastCopyDamaged);
            bool arrived = (beside && !AskedFor(part, in record, in loss)) || (facts.LoneCopies.HadArrived && Hasty(in record, in loss));
            bool answerLost = false;
            if (!damaged && (arrived || record.SinceFirstNs < 0 || NeedlessCopies.Has(part, index, in record, out answerLost)))
            {
                facts.SpuriousRetransmissions++;
                facts.FirstRepairNs = Math.Min(facts.FirstRepairNs, record.TimeNs);
                facts.Reorderings += !arrived && Overtaken(part, ref loss, in record) ? 1 : 0;
                return;
            }

            facts.AnswersLost += answerLost ? 1 : 0;
            facts.DroppedByReceiver += part.Timing[1 - side] is { BaseKnown: true, BaseNs: < BesideNs } && part.Timing[side].ShiftNs > 0 ? 1 : 0;
            int lost = LossRepairs.Add(part, index, in record, ref loss, facts) ? 1 : 0;
            facts.LostBeyondTap += damaged ? 0 : lost;
            facts.LostDamaged += damaged ? lost : 0;
        }
    }

    /// <summary>
    /// True for the last data when it is repeated before any timer of a common stack ends, and was alone on its way or nothing of the receiver was captured
    /// since: a delayed ACK looks the same.
    /// </summary>
    public static bool Hasty(in PacketRecord record, in LossState loss) =>
        loss.DuplicateAcks == 0 && !loss.SackSeen && record.SinceFirstNs is >= 0 and < HastyNs && record.End == loss.Highest
        && (record.Sequence == loss.Acknowledged || loss.AckNs < record.TimeNs - record.SinceFirstNs);

    /// <summary>
    /// True when the receiver, after a segment had passed the tap beside it, still acknowledged no more than what is before it: ACKs are cumulative, so
    /// the segment was lost behind the tap.
    /// </summary>
    public static bool AskedFor(ConnectionPass part, in PacketRecord record, in LossState loss) =>
        record.SinceFirstNs >= 0 && record.Sequence == loss.Acknowledged
        && loss.AckNs - (record.TimeNs - record.SinceFirstNs) > ProcessedNs + (2 * part.Timing[1 - record.Side].BaseNs);

    /// <summary>
    /// For a segment that had arrived but was sent again: true when duplicate ACKs or SACK blocks had requested exactly this segment. Then it was
    /// overtaken on the path. A probe or a timeout that came too early shows nothing about the order.
    /// </summary>
    private static bool Overtaken(ConnectionPass part, ref LossState loss, in PacketRecord record)
    {
        long path = part.Timing[0].BaseNs + part.Timing[1].BaseNs;
        bool sacks = Sacks(part);
        bool asked = (sacks ? loss.SackSeen : loss.DuplicateAcks >= 3) && record.Sequence == loss.Acknowledged;
        return asked && !(loss.InRecovery && loss.ByTimeout) && record.TimeNs - loss.EvidenceNs <= Math.Max(10_000_000, path);
    }

    private static void Fill(ConnectionPass part, int index, in PacketRecord record, ref LossState loss, SideFacts facts)
    {
        bool atSender = LossRepairs.IsBeside(part, record.Side);
        long path = part.Timing[0].BaseNs + part.Timing[1].BaseNs;
        long senderNs = part.Timing[record.Side].BaseNs;
        // A retransmission takes at least the round trip from here to the sender, because the sender must first learn of the loss.
        bool told = loss.DuplicateAcks > 0 || loss.SackSeen;
        bool repairable = told && !atSender && senderNs >= ShortestPathNs && record.SinceFirstNs > senderNs * 9 / 10;
        bool quick = record.SinceFirstNs >= 0 && record.SinceFirstNs <= Math.Max(3_000_000, path / 2) && !repairable;
        bool before = record.Has(PacketTraits.SentBeforeSuccessor);
        bool known = before || record.Has(PacketTraits.SentAfterSuccessor);
        // Beside a sender that nothing told of a loss, and before any timer can end, it sent in that order itself.
        bool swapped = atSender && RepairSigns.IsTooEarly(in record, in loss);
        bool overtaken = !atSender && ((!told && IsOfOneBurst(part, in record, in loss)) || Unheard(part, in record, in loss)
            || RepairSigns.IsFollowedByItsOriginal(part, index));
        if (before || swapped || overtaken || (quick && !known))
        {
            // A tap at the sender sees its packets in the order in which they were sent: there the capture itself swapped them.
            facts.Reorderings += atSender ? 0 : 1;
            return;
        }

        ref FlowState flow = ref part.Connection.Flow(record.Side);
        bool here = atSender || (part.Timing[1 - record.Side].BaseNs == 0 && part.Timing[record.Side] is { BaseKnown: true, BaseNs: < BesideNs });
        if (here && !told && !flow.SynSeen && SequenceNumber.LessOrEqual(record.Sequence, flow.FirstData))
        {
            // What left before the capture began may have arrived.
            return;
        }

        ForgiveRequest(part, in record);
        if (!loss.InRecovery && loss.DuplicateAcks > 0 && facts.PromptNs.Count < MostPrompt)
        {
            // The time in which the sender learns of the loss and its retransmission comes back.
            facts.PromptNs.Add(record.TimeNs - loss.EvidenceNs);
        }

        int lost = LossRepairs.Add(part, index, in record, ref loss, facts) ? RepairSigns.LossesIn(part, in record) : 0;
        // Beside its sender nothing is lost before the tap: the capture lacks the first copy, or began behind it.
        facts.LostBeyondTap += atSender ? lost : 0;
        facts.LostBeforeTap += atSender ? 0 : lost;
    }

    /// <summary>
    /// A lost answer, which an ACK shows that came alone, behind a repeated request, and acknowledges it: that ACK answers the needless copy. The request had
    /// arrived at once, and the answer would have come a round trip later.
    /// </summary>
    private static void ForgiveRequest(ConnectionPass part, in PacketRecord answer)
    {
        long shownNs = answer.TimeNs - answer.SinceFirstNs;
        ref LossState request = ref part.State.Losses[1 - answer.Side];
        if (!answer.Has(PacketTraits.NewData) || answer.SinceFirstNs < 0 || request.AdvancedNs != shownNs || request.Doublings != 0)
        {
            return;
        }

        for (int i = part.Stalls.Count - 1; i >= 0; i--)
        {
            ref Stall wait = ref part.Stalls[i];
            if (wait.Kind == StallKind.LossRto && wait.Sender != answer.Side && wait.EndNs == request.SentNs)
            {
                SideFacts facts = part.State.Facts.Sides[wait.Sender];
                facts.Timeouts--;
                facts.LostBeyondTap--;
                facts.SpuriousRetransmissions++;
                long dueNs = wait.StartNs + part.Timing[0].BaseNs + part.Timing[1].BaseNs;
                wait = new Stall(Math.Min(dueNs, shownNs), shownNs, StallKind.LossRto, (byte)answer.Side);
                return;
            }
        }
    }

    /// <summary>
    /// True for what fills a hole before its sender can have heard of it, and before a timer can end that began with what was sent behind the data below it, or
    /// with the last ACK that advanced (RFC 6298 5.3): the sender itself, or the path, changed the order.
    /// </summary>
    private static bool Unheard(ConnectionPass part, in PacketRecord record, in LossState loss) =>
        !loss.InRecovery && record.SinceFirstNs >= 0 && part.Timing[record.Side] is { BaseKnown: true, BaseIsBound: false, BaseNs: >= ShortestPathNs } sender
        && record.SinceFirstNs < Math.Min(sender.BaseNs * 9 / 10, TcpConnection.ShortestRtoNs) && loss.BelowGapNs != 0
        && record.TimeNs - Math.Max(loss.BelowGapNs, loss.AdvancedNs == 0 ? 0 : loss.AdvancedNs + sender.BaseNs) < TcpConnection.ShortestRtoNs;

    /// <summary>
    /// True for what comes right behind the data above it, before any ACK can have asked for it: that just then a timer ended would be chance, so its
    /// sender, or the path, changed the order.
    /// </summary>
    private static bool IsOfOneBurst(ConnectionPass part, in PacketRecord record, in LossState loss)
    {
        const long AtOnceNs = 1_000_000;
        return !loss.InRecovery && record.SinceFirstNs >= 0 && part.Timing[record.Side] is { BaseKnown: true, BaseIsBound: false, BaseNs: var senderNs }
            && record.SinceFirstNs < Math.Min(AtOnceNs, senderNs / 2);
    }

    /// <summary>
    /// A segment that begins with data that had passed here and ends with data that had not, after the silence of a timer: the sender repeats what was
    /// lost together with what was not. Beside the sender new data may be added to a needless retransmission.
    /// </summary>
    private static void Coalesced(ConnectionPass part, int index, in PacketRecord record, ref LossState loss, SideFacts facts)
    {
        bool atSender = part.Timing[record.Side].ShiftNs == 0;
        // Where no number is missing, what had not passed had never been sent.
        bool held = record.IpId != 0 && (ushort)(record.IpId - loss.SentIpId) == 1;
        if (!atSender && !held && record.TimeNs - loss.SentNs >= LossRepairs.TimerNs(part) && record.Length > 1)
        {
            facts.LostBeforeTap++;
            LossRepairs.Add(part, index, in record, ref loss, facts);
        }
    }
}
