using LatencyTuner.Core.Capture;

namespace LatencyTuner.Core.Recordings.Captures;

/// <summary>
/// What a sender has sent and had acknowledged since its congestion window was last at its beginning: as a new connection, or after idle time (RFC 5681).
/// </summary>
internal struct SlowStart
{
    /// <summary>Segments that a new connection may send at first (RFC 6928).</summary>
    public const int InitialWindow = 10;

    private bool _begun;
    private uint _first;
    private int _firstFlight;
    private int _acks;
    private uint _acknowledgedAtSend;
    private int _acksAtSend;
    private bool _flat;
    private int _waitFlight;
    private uint _waitAcknowledged;

    /// <summary>Segments that a congestion window may hold at its beginning: RFC 2581, RFC 3390 and RFC 6928.</summary>
    private static ReadOnlySpan<int> Beginnings => [2, 3, 4, 10];

    /// <summary>The first data of a connection whose handshake was captured, or the first after idle time, is to be sent.</summary>
    /// <param name="sequence">Its sequence number.</param>
    public void Begin(uint sequence) => (_begun, _first, _firstFlight, _acks, _flat, _waitFlight) = (true, sequence, 0, 0, false, 0);

    /// <summary>An ACK that advances has reached the sender.</summary>
    /// <param name="flight">Bytes in flight before it.</param>
    public void Acknowledged(int flight)
    {
        _firstFlight = _acks == 0 ? flight : _firstFlight;
        _acks++;
    }

    /// <summary>New data was sent.</summary>
    /// <param name="acknowledged">All below this had been acknowledged.</param>
    public void Sent(uint acknowledged) => (_acknowledgedAtSend, _acksAtSend) = (acknowledged, _acks);

    /// <summary>
    /// True when just as many segments were in flight behind the last data as slow start allows after these ACKs: one more for each ACK at least, and for
    /// each acknowledged segment at most. A flight that is hardly larger than that of a wait at least half of it ago did not grow: something else holds it.
    /// </summary>
    /// <param name="next">The sequence number behind the last data.</param>
    /// <param name="mss">Bytes of a full segment.</param>
    public bool Allows(uint next, int mss)
    {
        if (!_begun || mss <= 0)
        {
            return false;
        }

        int flight = Segments(SequenceNumber.Beyond(next, _acknowledgedAtSend), mss);
        int acknowledged = Segments(SequenceNumber.Beyond(_acknowledgedAtSend, _first), mss);
        bool later = _waitFlight == 0 || 2 * Segments(SequenceNumber.Beyond(_acknowledgedAtSend, _waitAcknowledged), mss) >= _waitFlight;
        if (later)
        {
            (_flat, _waitFlight, _waitAcknowledged) = (_waitFlight > 0 && 10 * flight <= 11 * _waitFlight, flight, _acknowledgedAtSend);
        }

        _waitFlight = Math.Max(_waitFlight, flight);
        if (_flat)
        {
            return false;
        }

        int atOnce = _acks == 0 ? flight : Segments(_firstFlight, mss);
        foreach (int beginning in Beginnings)
        {
            if (beginning >= atOnce && flight >= beginning + _acksAtSend && flight <= beginning + Math.Max(acknowledged, _acksAtSend))
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>
    /// True when just as many full segments were in flight behind the last data as slow start allows: those of its beginning (RFC 6928, RFC 3390), and one
    /// more for each that was acknowledged since then (RFC 3465).
    /// </summary>
    /// <param name="next">The sequence number behind the last data.</param>
    /// <param name="mss">Bytes of a full segment.</param>
    public readonly bool IsFilled(uint next, int mss)
    {
        const int LargestOfThreeOrFour = 4380;
        int beyond = SequenceNumber.Beyond(next, _acknowledgedAtSend) - SequenceNumber.Beyond(_acknowledgedAtSend, _first);
        return _begun && mss > 0 && (beyond == InitialWindow * mss || beyond == Math.Clamp(LargestOfThreeOrFour / mss, 2, 4) * mss)
            && SequenceNumber.Beyond(next, _first) % mss == 0;
    }

    private static int Segments(int bytes, int mss) => (Math.Max(bytes, 0) + mss - 1) / mss;
}
