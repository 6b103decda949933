namespace LatencyTuner.Core.Capture;

/// <summary>One packet of a connection in 64 bytes. It is kept until its part of the connection has been analysed.</summary>
internal struct PacketRecord
{
    /// <summary>Capture time, nanoseconds since 1970.</summary>
    public long TimeNs;

    /// <summary>
    /// Of an advancing ACK: time since the first new segment it covers. Of a retransmission: time since those bytes were first sent. Of a
    /// <see cref="PacketTraits.HoleFill"/>: time since the hole was seen. Nanoseconds, -1 when unknown.
    /// </summary>
    public long SinceFirstNs;

    /// <summary>
    /// Of an advancing ACK: time since the last segment it covers, which analysers show as the round trip. Of a retransmission: time since the
    /// bytes were last sent. With <see cref="PacketTraits.Echo"/>: time since the echoed timestamp was captured. Nanoseconds, -1 when unknown.
    /// </summary>
    public long SinceLastNs;

    /// <summary>Frame number, from 1.</summary>
    public uint Frame;

    public uint Sequence;
    public uint Acknowledgement;

    /// <summary>Payload in bytes.</summary>
    public int Length;

    /// <summary>Advertised window in bytes, scaled where the scale is known.</summary>
    public uint Window;

    public PacketTraits Traits;

    /// <summary>
    /// Right edge of the highest SACK block; with <see cref="PacketTraits.DuplicateSack"/> of the first one. Of data without a block: how far its
    /// timestamp is ahead of the one that it echoes (RFC 7323 3.2), ticks; 0 when unknown.
    /// </summary>
    public uint SackRight;

    /// <summary>
    /// Bytes in the SACK blocks; with <see cref="PacketTraits.DuplicateSack"/> the left edge of the first one. Of data that repeats something between holes,
    /// without a block: the number of holes that it fills.
    /// </summary>
    public uint SackBytes;

    /// <summary>Of an advancing ACK: number of data segments it covers. Of a retransmission: how often those bytes were sent before.</summary>
    public ushort Covered;

    public ushort IpId;

    /// <summary>When its sender's clock says that it was sent (RFC 7323 3.2), in ticks of that clock; 0 without the option.</summary>
    public uint TimestampValue;

    public readonly bool Has(PacketTraits trait) => (Traits & trait) != 0;

    /// <summary>
    /// True for data of which at least a part had been sent before. Its times and counts are those of the data, also where it acknowledges something.
    /// </summary>
    public readonly bool IsSentAgain => Has(PacketTraits.Retransmission | PacketTraits.HoleFill | PacketTraits.Overlap);

    /// <summary>0 when the client sent it, 1 when the server did.</summary>
    public readonly int Side => (int)(Traits & PacketTraits.FromServer);

    /// <summary>True for an ACK that carries nothing else.</summary>
    public readonly bool IsPureAck => Length == 0 && (Traits & (PacketTraits.Ack | PacketTraits.Syn | PacketTraits.Fin | PacketTraits.Rst)) == PacketTraits.Ack;

    /// <summary>Sequence number after its payload.</summary>
    public readonly uint End => Sequence + (uint)Length;
}
