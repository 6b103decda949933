using LatencyTuner.Core.Capture;

namespace LatencyTuner.Core.Recordings.Captures;

/// <summary>
/// The IP identifications of one sender's packets on one connection. Many systems count them up by one for each packet of a connection, although RFC 6864
/// lets them choose: then a number that is missing belongs to a packet that never reached the tap.
/// </summary>
internal struct PacketNumbers
{
    private const long Fewest = 20;
    private const double LeastShare = 0.9;
    private const double Chance = 0.2;

    // A path hardly loses the packet before every third. A sender that counts over several connections skips numbers in each silence.
    private const double MostLost = 0.5;

    // A sender rarely loses more packets before it waits for its timer; a larger step is another connection of a sender that counts over all of them.
    private const int Most = 8;

    private int _packets;
    private int _most;
    private long _exact;
    private long _exactNs;
    private long _skipped;
    private long _lost;
    private long _lostNs;

    /// <summary>The number of the first packet, and of the last; 0 for none.</summary>
    public ushort FirstId { get; private set; }
    public ushort LastId { get; private set; }

    /// <summary>How many numbers the last packet is behind the one before; 0 when it is not, or either has none.</summary>
    public ushort Step { get; private set; }

    /// <summary>When the last packet passed the tap, nanoseconds; 0 before the first.</summary>
    public long LastNs { get; private set; }

    /// <summary>The last packet of the peer that asks for an answer (data, FIN, keep-alive), nanoseconds; 0 before the first.</summary>
    public long AskedNs { get; set; }

    /// <summary>
    /// True when the numbers show what was lost: nearly every packet has the next number, and it is no chance that numbers are missing in the silences
    /// of lost data and not half as often elsewhere. A sender that counts over several connections skips numbers at any time.
    /// </summary>
    public readonly bool Tell => OneByOne && _lost > 2 * _skipped && _lost <= MostLost * _exact
        && Math.Pow((double)_lostNs / Math.Max(1, _lostNs + _exactNs), _lost) <= Chance;

    /// <summary>True when nearly every packet has the next number, but for those that data shows to be missing.</summary>
    public readonly bool OneByOne => AreOneByOne(Fewest);

    /// <summary>The same of fewer packets.</summary>
    public readonly bool AreOneByOne(long fewest) => _exact >= fewest && _exact >= LeastShare * (_exact + _skipped);

    /// <summary>Counts a silence in which packets with data are missing.</summary>
    /// <param name="silenceNs">Its length, nanoseconds.</param>
    public void Lost(long silenceNs) => (_lost, _lostNs) = (_lost + 1, _lostNs + silenceNs);

    /// <summary>Counts a step over numbers that no loss of data explains.</summary>
    public void Skip() => _skipped++;

    /// <summary>Adds one packet.</summary>
    /// <param name="record">The packet.</param>
    /// <param name="mss">Largest payload of one packet on the wire, bytes: the capturing host may have joined several.</param>
    /// <param name="least">Smallest payload of a full packet on the wire, by its options and where the path is not known, bytes.</param>
    /// <param name="lostNs">Silence from which on missing numbers are reported and not yet counted as skipped, nanoseconds.</param>
    /// <returns>The number of packets that are missing between this one, which ends such a silence, and the one before; 0 otherwise.</returns>
    public int Add(in PacketRecord record, int mss, int least, long lostNs)
    {
        ushort step = (ushort)(record.IpId - LastId);
        bool known = LastNs != 0 && LastId != 0 && record.IpId != 0;
        Step = (ushort)(known && (short)step > 0 ? step : 0);
        if (known && (short)step <= 0)
        {
            // Captured twice, or overtaken on the path.
            return 0;
        }

        FirstId = FirstId == 0 ? record.IpId : FirstId;
        long silenceNs = record.TimeNs - LastNs;
        int missing = !known || (step >= _packets && step <= _most) ? 0 : step > _most ? step - _most : step - _packets;
        (LastId, _packets, LastNs) = (record.IpId, Math.Max(1, (record.Length + mss - 1) / mss), record.TimeNs);
        // Packets that the capturing host joined may have been smaller than the largest ones. Full ones show how many they were.
        _most = record.Length % mss == 0 ? _packets : Math.Max(_packets, (record.Length + least - 1) / least);
        if (!known || record.Has(PacketTraits.AboveGap | PacketTraits.CaptureGap | PacketTraits.ClockAhead))
        {
            return 0;
        }

        if (missing == 0)
        {
            _exact++;
            _exactNs += Math.Max(0, silenceNs);
            return 0;
        }

        bool lost = missing is > 0 and <= Most && silenceNs >= lostNs;
        _skipped += lost ? 0 : 1;
        return lost ? missing : 0;
    }
}
