using LatencyTuner.Core.Capture;

namespace LatencyTuner.Core.Recordings.Captures;

/// <summary>
/// The clock of one end's TCP timestamps (RFC 7323 4): what passes the tap long after its timestamp, compared with the end's other packets, was on its way
/// for so long, whatever its sender did before.
/// </summary>
/// <remarks>Both clocks may drift, and a machine that stood still goes on with an old clock: only packets of about the same time are compared.</remarks>
internal sealed class SenderClock
{
    private const long Millisecond = 1_000_000;
    private const long ShortestNs = 1_000_000_000;
    private const int FewestTicks = 10;
    private const double MostOff = 1.5;

    // A tenth of a per mille of drift, as two clocks may have, is 6 ms in twice this time.
    private const long BlockNs = 30_000_000_000;

    /// <summary>The path of a wireless host varies by less, nanoseconds.</summary>
    private const long LeastLateNs = 20 * Millisecond;

    // Linux and Windows count milliseconds, older kernels ticks of 4 or 10 ms, older Windows 100 ms.
    private static readonly long[] s_ticksNs = [Millisecond, 4 * Millisecond, 10 * Millisecond, 100 * Millisecond];

    private CompactList<(long Block, long LeastNs)> _blocks;
    private long _firstNs;
    private uint _first;

    /// <summary>The time between two ticks, nanoseconds; 0 when unknown.</summary>
    public long TickNs { get; private set; }

    /// <summary>Reads one part of a connection.</summary>
    /// <param name="records">The packets.</param>
    /// <param name="side">The end whose clock is read: 0 the client, 1 the server.</param>
    public void Read(ReadOnlySpan<PacketRecord> records, int side)
    {
        _blocks.Clear();
        (TickNs, _firstNs) = (0, 0);
        (long lastNs, uint last) = (0, 0);
        foreach (ref readonly PacketRecord record in records)
        {
            if (record.Side == side && record.TimestampValue != 0)
            {
                (_firstNs, _first) = _firstNs == 0 ? (record.TimeNs, record.TimestampValue) : (_firstNs, _first);
                (lastNs, last) = (record.TimeNs, record.TimestampValue);
            }
        }

        int ticks = SequenceNumber.Beyond(last, _first);
        if (lastNs - _firstNs < ShortestNs || ticks < FewestTicks)
        {
            return;
        }

        double eachNs = (double)(lastNs - _firstNs) / ticks;
        TickNs = Array.Find(s_ticksNs, ns => eachNs <= ns * MostOff && ns <= eachNs * MostOff);
        if (TickNs == 0)
        {
            return;
        }

        foreach (ref readonly PacketRecord record in records)
        {
            if (record.Side == side && record.TimestampValue != 0)
            {
                long block = (record.TimeNs - _firstNs) / BlockNs;
                if (_blocks.Count > 0 && _blocks[_blocks.Count - 1].Block >= block)
                {
                    ref (long Block, long LeastNs) same = ref _blocks[_blocks.Count - 1];
                    same.LeastNs = Math.Min(same.LeastNs, OffsetNs(in record));
                }
                else
                {
                    _blocks.Add((block, OffsetNs(in record)));
                }
            }
        }
    }

    /// <summary>
    /// By how much longer than others a packet of this end was on its way to the tap, nanoseconds, at least; 0 where nothing shows that it was.
    /// </summary>
    public long LateNs(in PacketRecord record)
    {
        if (TickNs == 0 || record.TimestampValue == 0)
        {
            return 0;
        }

        long block = (record.TimeNs - _firstNs) / BlockNs;
        int at = FirstFrom(block - 1);
        long leastNs = long.MaxValue;
        for (; at < _blocks.Count && _blocks[at].Block <= block + 1; at++)
        {
            leastNs = Math.Min(leastNs, _blocks[at].LeastNs);
        }

        // The packet may have left at the end of its tick.
        long lateNs = leastNs == long.MaxValue ? 0 : OffsetNs(in record) - leastNs - TickNs;
        return lateNs >= LeastLateNs ? lateNs : 0;
    }

    private long OffsetNs(in PacketRecord record) => record.TimeNs - _firstNs - (SequenceNumber.Beyond(record.TimestampValue, _first) * TickNs);

    private int FirstFrom(long block)
    {
        int low = 0;
        int high = _blocks.Count;
        while (low < high)
        {
            int middle = (low + high) >>> 1;
            (low, high) = _blocks[middle].Block < block ? (middle + 1, high) : (low, middle);
        }

        return low;
    }
}
