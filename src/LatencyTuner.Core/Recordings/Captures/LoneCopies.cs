using LatencyTuner.Core.Capture;

namespace LatencyTuner.Core.Recordings.Captures;

/// <summary>
/// Early copies of segments that were alone on their way. A receiver that delays its ACK of such a segment, and answers each early copy of one at once, had the
/// first (RFC 9293 3.10.7.4), because the copy of a lost segment would be delayed the same.
/// </summary>
internal struct LoneCopies
{
    private const int Fewest = 3;
    private const int Few = 5;

    // The longest delay of an ACK that is common, and as much for the path: a copy that comes later is not early.
    private const long LongestNs = 400_000_000;

    private int _segments;
    private int _alone;
    private int _others;
    private int _copied;
    private int _slow;
    private int _late;
    private int _prompt;
    private int _answered;
    private long _shortestNs;
    private long _longestNs;

    /// <summary>
    /// True when the copies had arrived. Where no lone segment went without a copy, chance must not explain that nothing else was repeated; nor that all
    /// were repeated but those that the peer's application answered, which a path that loses packets cannot know. Nor that a path loses each original and
    /// not one of the copies, however soon those are answered.
    /// </summary>
    public readonly bool HadArrived => (_copied + _slow >= Few && _copied + _slow == _alone && OfOneTimer)
        || (_copied >= Fewest && Few * _slow <= _copied && Few * _prompt <= _late + _copied && (_late >= Fewest
            || (_others == 0 && Math.Pow((double)_alone / _segments, _copied) < Coincidence.Unlikely)
            || (_prompt == 0 && ChanceOf(_answered, _answered + _copied) < Coincidence.Unlikely)));

    /// <summary>The probability that just these of some segments are spared by chance: one of all ways to choose as many.</summary>
    private static double ChanceOf(int spared, int all)
    {
        double chance = 1;
        for (int i = 1; i <= Math.Min(spared, all - spared); i++)
        {
            chance *= (double)i / (all - i + 1);
        }

        return chance;
    }

    /// <summary>True when one timer made the copies: the longest wait is hardly longer than the shortest.</summary>
    private readonly bool OfOneTimer => _longestNs - _shortestNs <= _shortestNs / Few;

    /// <summary>Counts what a part of a connection shows of one sender.</summary>
    /// <param name="part">The connection.</param>
    /// <param name="side">The sender of the copies.</param>
    public void Add(ConnectionPass part, int side)
    {
        ref SideTiming receiver = ref part.Timing[1 - side];
        LoneSegment lone = default;
        uint? acknowledged = null;
        foreach (ref PacketRecord record in part.Records)
        {
            if (record.Side != side)
            {
                if (lone.SentNs != 0 && record.Has(PacketTraits.Ack) && SequenceNumber.LessOrEqual(lone.End, record.Acknowledgement))
                {
                    Add(in lone, record.TimeNs - Math.Max(lone.SentNs, lone.CopyNs) - receiver.BaseNs <= receiver.GuardNs, record.IsPureAck);
                    lone = default;
                }

                acknowledged = record.Has(PacketTraits.Advancing) || acknowledged is null ? record.Acknowledgement : acknowledged;
            }
            else if (record.Length > 0 && record.Has(PacketTraits.NewData))
            {
                _segments++;
                lone = record.Sequence == acknowledged ? new LoneSegment { End = record.End, SentNs = record.TimeNs } : default;
            }
            else if (record.Has(PacketTraits.Retransmission | PacketTraits.HoleFill))
            {
                bool early = lone.SentNs != 0 && record.End == lone.End && record.SinceFirstNs < LongestNs;
                lone.CopyNs = early ? record.TimeNs : lone.CopyNs;
                _others += early ? 0 : 1;
            }
        }
    }

    /// <summary>
    /// What connections with a copy or two do not show alone, all those of a receiver do together: their copies are no losses. Only connections that lost
    /// nothing else are corrected.
    /// </summary>
    public static void Correct(IReadOnlyList<ConnectionFacts> connections)
    {
        foreach (IGrouping<IpAddressValue, SideOfConnection> receiver in SideOfConnection.All(connections)
            .Where(s => s.Facts.DataSegments > 0).GroupBy(s => s.Peer))
        {
            LoneCopies sum = default;
            foreach (SideOfConnection side in receiver)
            {
                sum.Add(in side.Facts.LoneCopies);
            }

            if (!sum.HadArrived || !sum.OfOneTimer)
            {
                continue;
            }

            foreach (SideOfConnection side in receiver.Where(
                s => s.Facts is { Timeouts: > 0, FastRetransmissions: 0, LostDamaged: 0 } && s.Facts.LoneCopies._copied >= s.Facts.Timeouts))
            {
                side.Facts.LostNothing();
                Forget(side.Connection, new Stall(0, 0, StallKind.LossRto, (byte)side.Index).Key);
            }
        }
    }

    /// <summary>No transaction waited for what was no stall.</summary>
    /// <param name="connection">The connection.</param>
    /// <param name="key">The kind and the sender of the stalls (<see cref="Stall.Key"/>).</param>
    public static void Forget(ConnectionFacts connection, int key)
    {
        CompactList<TransactionWait> waits = default;
        for (int i = 0; i < connection.Waits.Count; i++)
        {
            TransactionWait wait = connection.Waits[i];
            if (wait.Key != key)
            {
                waits.Add(wait);
                continue;
            }

            Transaction t = connection.Transactions[wait.Transaction];
            t.StallNs = Math.Max(0, t.StallNs - wait.Ns);
            (t.WorstStall, t.WorstStallNs) = t.WorstStall == key / 2 ? (-1, 0) : (t.WorstStall, t.WorstStallNs);
            connection.Transactions[wait.Transaction] = t;
        }

        connection.Waits = waits;
    }

    private void Add(in LoneSegment lone, bool soon, bool pure)
    {
        _alone++;
        if (lone.CopyNs == 0)
        {
            // Data that answers later shows as well that no ACK was sent at once.
            _late += soon ? 0 : 1;
            _prompt += soon && pure ? 1 : 0;
            _answered += soon && !pure ? 1 : 0;
        }
        else if (pure)
        {
            long afterNs = lone.CopyNs - lone.SentNs;
            _shortestNs = _copied + _slow == 0 ? afterNs : Math.Min(_shortestNs, afterNs);
            _longestNs = Math.Max(_longestNs, afterNs);
            _copied += soon ? 1 : 0;
            _slow += soon ? 0 : 1;
        }
    }

    private void Add(in LoneCopies other)
    {
        if (other._copied + other._slow > 0)
        {
            _shortestNs = _copied + _slow == 0 ? other._shortestNs : Math.Min(_shortestNs, other._shortestNs);
            _longestNs = Math.Max(_longestNs, other._longestNs);
        }

        (_segments, _alone, _others) = (_segments + other._segments, _alone + other._alone, _others + other._others);
        (_copied, _slow, _late, _prompt) = (_copied + other._copied, _slow + other._slow, _late + other._late, _prompt + other._prompt);
        _answered += other._answered;
    }

    private struct LoneSegment
    {
        public uint End;
        public long SentNs;
        public long CopyNs;
    }
}
