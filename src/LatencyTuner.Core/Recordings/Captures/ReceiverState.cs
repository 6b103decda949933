using LatencyTuner.Core.Capture;

namespace LatencyTuner.Core.Recordings.Captures;

/// <summary>What one side has acknowledged, and how fast its recent answers were.</summary>
internal struct ReceiverState
{
    private readonly long[] _recent;
    private int _recentCount;
    private long _recentAtNs;

    public bool Started;
    public uint Acknowledged;

    /// <summary>When the last advancing ACK passed the tap, nanoseconds; and the largest window that this side offered, bytes.</summary>
    public long AckNs { get; set; }
    public uint LargestWindow { get; set; }

    /// <summary>Number of answers that took no longer than the path, and the most bytes that one of them acknowledged.</summary>
    public long PromptAnswers { get; set; }
    public uint PromptBytes { get; set; }

    /// <summary>
    /// The shortest time in which the path carried a byte of several segments up to their answer, nanoseconds; 0 when unknown. Where ACKs are held, none
    /// follow each other closely, as <see cref="DeliveryRate"/> needs.
    /// </summary>
    public double CarriedNsPerByte { get; set; }

    /// <summary>Number of ACKs held back since the last of these.</summary>
    public int StretchedRun { get; set; }

    /// <summary>Sequence number after the peer's last new data.</summary>
    public uint DataEnd { get; set; }

    /// <summary>When the peer's last new data passed the tap; and the data before it, where the last was a tail-loss probe, else 0. Nanoseconds.</summary>
    public long DataNs { get; set; }
    public long BeforeProbeNs { get; set; }

    /// <summary>Blocks of this side's prompt answers, and of its timestamp echoes; when it last sent data.</summary>
    public RoundTripBlock Answers;
    public RoundTripBlock Echoes;
    public RoundTripBlock AllAnswers;
    public long LastDataNs { get; set; }

    /// <summary>The last data this side answered: when it was sent, and how long beyond the base the answer took.</summary>
    public long AnsweredSentNs { get; set; }
    public long AnsweredDelayNs { get; set; }

    public ReceiverState()
        : this(new long[8])
    {
    }

    // Old values in the array are not read before they are overwritten.
    private ReceiverState(long[] recent) => _recent = recent;

    /// <summary>Resets the state for another connection.</summary>
    public void Reset() => this = new ReceiverState(_recent);

    /// <summary>
    /// Notes new data of the peer. One full segment after two round trips of silence, behind full segments whose ACK was due, is a tail-loss probe (RFC
    /// 8985 7.2, 7.3).
    /// </summary>
    /// <param name="data">The data.</param>
    /// <param name="mss">Payload of the peer's full segments, bytes.</param>
    /// <param name="path">The shortest round trip of the path, nanoseconds.</param>
    public void AddData(in PacketRecord data, int mss, long path)
    {
        bool probe = data.Length >= mss && BeforeProbeNs == 0 && Started && AckNs < DataNs && data.TimeNs - DataNs >= Math.Max(1_000_000, path * 9 / 5)
            && SequenceNumber.Beyond(DataEnd, Acknowledged) >= 2 * mss;
        (BeforeProbeNs, DataNs, DataEnd) = (probe ? DataNs : 0, data.TimeNs, data.End);
    }

    /// <summary>Notes how long the path took to carry what one answer acknowledges.</summary>
    /// <param name="ns">From the first byte on, beyond the shortest round trip, nanoseconds.</param>
    /// <param name="bytes">The acknowledged bytes.</param>
    /// <param name="mss">Payload of the peer's full segments, bytes.</param>
    public void AddCarried(long ns, uint bytes, int mss)
    {
        const int Fewest = 4;
        if (ns > 0 && bytes >= Fewest * mss)
        {
            double least = (double)ns / bytes;
            CarriedNsPerByte = CarriedNsPerByte == 0 ? least : Math.Min(CarriedNsPerByte, least);
        }
    }

    /// <summary>Adds the round trip of an answer that no timer delayed.</summary>
    public void AddRecent(long atNs, long roundTripNs)
    {
        _recent[_recentCount++ % _recent.Length] = roundTripNs;
        _recentAtNs = atNs;
    }

    /// <summary>The shortest recent answer, nanoseconds; 0 when there was none within a second.</summary>
    public long RecentMinNs(long nowNs)
    {
        const long Recent = 1_000_000_000;
        if (_recentCount == 0 || nowNs - _recentAtNs > Recent)
        {
            return 0;
        }

        long least = long.MaxValue;
        for (int i = 0; i < Math.Min(_recentCount, _recent.Length); i++)
        {
            least = Math.Min(least, _recent[i]);
        }

        return least;
    }
}
