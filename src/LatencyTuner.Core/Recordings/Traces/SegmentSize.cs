namespace LatencyTuner.Core.Recordings.Traces;

/// <summary>
/// How large a full segment of one connection is. The handshake says it, or a segment that left while more data was ready, which is full, or several
/// full ones in one event. Without either only bounds are known: IPv4, IPv6, timestamps and tunnels all make other sizes.
/// </summary>
internal sealed class SegmentSize
{
    /// <summary>No path of today has smaller full segments, bytes: 536 (RFC 9293 3.7.1), less the options.</summary>
    public const uint Least = 500;

    // The usual full segments have at least this size, bytes: what is as large and not known may be full.
    private const uint LeastUsual = 1_100;
    private const uint Ethernet = 1_460;
    private const uint Timestamps = 12;

    private uint? _handshake;
    private uint? _full;
    private uint _largest;

    /// <summary>A size that fits into one segment for certain, bytes.</summary>
    public uint Fits => Known ?? Math.Max(Least, _largest);

    /// <summary>The size of a full segment as far as it is known, bytes; otherwise the largest usual one.</summary>
    public uint Probable => Known ?? Ethernet;

    private uint? Known => (_handshake, _full) switch
    {
        ({ } handshake, { } full) => Math.Min(handshake, full),
        ({ } handshake, null) => handshake,

        // One event may tell of several segments: the largest of which there can be.
        (null, { } full) => full / ((full + Ethernet - 1) / Ethernet),
        _ => null,
    };

    /// <summary>The maximum segment size of the handshake.</summary>
    /// <param name="mss">As the handshake says it, bytes.</param>
    /// <param name="timestamps">True when each segment carries timestamps.</param>
    public void Agreed(ulong mss, bool timestamps)
    {
        if (mss is > Least + Timestamps and <= ushort.MaxValue)
        {
            _handshake = (uint)mss - (timestamps ? Timestamps : 0);
        }
    }

    /// <summary>Takes a segment into account.</summary>
    /// <param name="length">Bytes.</param>
    /// <param name="room">Bytes for which the windows had room after it.</param>
    /// <param name="more">True when more data was ready.</param>
    public void Sent(uint length, long room, bool more)
    {
        // A small segment at the edge of a window is as large as the window allows.
        if (more && length >= Least && (length >= LeastUsual || room >= length))
        {
            _full = Math.Min(_full ?? length, length);
        }
        else if (!more && length <= Ethernet)
        {
            _largest = Math.Max(_largest, length);
        }
    }

    /// <summary>
    /// True when a segment with no data ready behind it is smaller than a full one, false when it may be full; null when both are as likely. Where the size
    /// is unknown, a segment behind a smaller one is small: data that is cut into full segments begins with the full ones.
    /// </summary>
    /// <param name="length">Bytes.</param>
    /// <param name="before">Bytes of the segment before it.</param>
    public bool? IsSmall(uint length, uint before)
    {
        if (length < Fits)
        {
            return true;
        }

        bool open = Known is null && length < Ethernet;
        return open && before > 0 && before < length ? true : open && length < LeastUsual ? null : false;
    }
}
