using LatencyTuner.Core.Capture;

namespace LatencyTuner.Core.Recordings.Captures;

/// <summary>
/// The clock of one end's TCP timestamps (RFC 7323 4): what passes the tap long after its timestamp, compared with the end's other packets, was on its way
/// for so long, whatever its sender did before.
/// </summary>
/// <remarks>
/// Clocks drift, and one that is only read when there is traffic goes in steps (macOS): what two packets differ by counts only beyond a small share of the
/// time between them. A machine that stood still goes on with an old clock, so that packets far apart are not compared.
/// </remarks>
internal sealed class SenderClock
{
    private const long Millisecond = 1_000_000;
    private const long ShortestNs = 300_000_000;
    private const int FewestTicks = 10;
    private const double MostOff = 1.5;
    private const double MostDrift = 0.02;
    private const long BlockNs = 1_000_000_000;
    private const int BlocksAround = 30;

    /// <summary>The path of a wireless host varies by less, nanoseconds.</summary>
    private const long LeastLateNs = 20 * Millisecond;

    // Linux and Windows count milliseconds, older kernels ticks of 4 or 10 ms, older Windows 100 ms.
    private static readonly long[] TicksNs = [Millisecond, 4 * Millisecond, 10 * Millisecond, 100 * Millisecond];

    private CompactList<(long Block, long OffsetNs, long TimeNs)> _least;
    private long _firstNs;
    private uint _first;

    // The least offset of all, and the end of the last block.
    private long _earliestNs;
    private long _blockEndNs;

    /// <summary>The time between two ticks, nanoseconds; 0 when unknown.</summary>
    public long TickNs { get; private set; }

    /// <summary>Reads one part of a connection.</summary>
    /// <param name="records">The packets.</param>
    /// <param name="side">The end whose clock is read: 0 the client, 1 the server.</param>
    public void Read(ReadOnlySpan<PacketRecord> records, int side)
    {
        _least.Clear();
        (TickNs, _earliestNs, _blockEndNs) = (0, long.MaxValue, 0);
        (int begin, int end) = (0, records.Length - 1);
        while (begin < end && !IsRead(in records[begin], side))
        {
            begin++;
        }

        while (end > begin && !IsRead(in records[end], side))
        {
            end--;
        }

        if (begin >= end)
        {
            return;
        }

        (_firstNs, _first) = (records[begin].TimeNs, records[begin].TimestampValue);
        long lastNs = records[end].TimeNs;
        int ticks = SequenceNumber.Beyond(records[end].TimestampValue, _first);
        if (lastNs - _firstNs < ShortestNs || ticks < FewestTicks)
        {
            return;
        }

        double eachNs = (double)(lastNs - _firstNs) / ticks;
        TickNs = Array.Find(TicksNs, ns => eachNs <= ns * MostOff && ns <= eachNs * MostOff);
        for (int i = begin; TickNs != 0 && i <= end; i++)
        {
            if (IsRead(in records[i], side))
            {
                Add(in records[i]);
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

        long offsetNs = OffsetNs(in record);
        // The packet may have left at the end of its tick.
        long lateNs = LeastLateNs + TickNs;
        if (offsetNs - _earliestNs <= lateNs)
        {
            return 0;
        }

        long block = BlockOf(in record);
        for (int at = FirstFrom(block - BlocksAround); at < _least.Count && _least[at].Block <= block + BlocksAround; at++)
        {
            ref (long Block, long OffsetNs, long TimeNs) other = ref _least[at];
            lateNs = Math.Max(lateNs, offsetNs - other.OffsetNs - (long)(MostDrift * Math.Abs(record.TimeNs - other.TimeNs)));
        }

        return lateNs > LeastLateNs + TickNs ? lateNs - TickNs : 0;
    }

    private void Add(in PacketRecord record)
    {
        long offsetNs = OffsetNs(in record);
        _earliestNs = Math.Min(_earliestNs, offsetNs);
        if (record.TimeNs >= _blockEndNs)
        {
            long block = BlockOf(in record);
            _blockEndNs = _firstNs + ((block + 1) * BlockNs);
            _least.Add((block, offsetNs, record.TimeNs));
        }
        else if (offsetNs < _least[_least.Count - 1].OffsetNs)
        {
            _least[_least.Count - 1] = (_least[_least.Count - 1].Block, offsetNs, record.TimeNs);
        }
    }

    private static bool IsRead(in PacketRecord record, int side) => record.Side == side && record.TimestampValue != 0;

    private long BlockOf(in PacketRecord record) => (record.TimeNs - _firstNs) / BlockNs;

    private long OffsetNs(in PacketRecord record) => record.TimeNs - _firstNs - (SequenceNumber.Beyond(record.TimestampValue, _first) * TickNs);

    private int FirstFrom(long block)
    {
        int low = 0;
        int high = _least.Count;
        while (low < high)
        {
            int middle = (low + high) >>> 1;
            (low, high) = _least[middle].Block < block ? (middle + 1, high) : (low, middle);
        }

        return low;
    }
}
