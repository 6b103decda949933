using LatencyTuner.Core.Capture;

namespace LatencyTuner.Core.Recordings.Captures;

/// <summary>Whether somebody waited for what was held, hold after hold in the order of time.</summary>
/// <param name="part">The part of the connection.</param>
/// <param name="side">The sender of what was held.</param>
internal ref struct AwaitedHolds(ConnectionPass part, int side)
{
    /// <summary>Where the peer answers fewer of a sender's segments than one of so many, its data goes one way, and who receives it waits for each.</summary>
    private const int OneWay = 20;

    /// <summary>Packets in which the end of a row of segments is looked for.</summary>
    private const int Chain = 200;

    private readonly bool _oneWay = part.Connection.Flow(1 - side).DataPackets * OneWay < part.Connection.Flow(side).DataPackets;
    private int _next;

    /// <summary>
    /// False where the sender went on by itself, without an answer, later than twice what the hold had lasted: its next data came when it would have come
    /// anyway, and the answer that came in the end did not wait for what was held.
    /// </summary>
    /// <param name="hold">What was held; not before the one asked for last.</param>
    public bool Has(in NagleHold hold)
    {
        Span<PacketRecord> records = part.Records;
        while (_next < records.Length && records[_next].TimeNs < hold.ReleasedNs)
        {
            _next++;
        }

        (long lastNs, int end) = (hold.ReleasedNs, Math.Min(records.Length, _next + Chain));
        for (int i = _next + 1; i < end && !_oneWay; i++)
        {
            if (records[i].Has(PacketTraits.NewData) && (records[i].Side != side || records[i].TimeNs - lastNs > 2 * hold.HeldNs))
            {
                return records[i].Side != side;
            }

            // What comes sooner may have been moved by the hold, and moves what comes behind it.
            lastNs = records[i].Has(PacketTraits.NewData) ? records[i].TimeNs : lastNs;
        }

        return true;
    }
}
