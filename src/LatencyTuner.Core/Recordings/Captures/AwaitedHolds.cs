using LatencyTuner.Core.Capture;

namespace LatencyTuner.Core.Recordings.Captures;

/// <summary>Whether somebody waited for what was held, hold after hold in the order of time.</summary>
/// <param name="part">The part of the connection.</param>
/// <param name="side">The sender of what was held.</param>
internal ref struct AwaitedHolds(ConnectionPass part, int side)
{
    /// <summary>Where the peer answers fewer of a sender's segments than one of so many, its data goes one way, and who receives it waits for each.</summary>
    private const int OneWay = 20;

    private readonly bool _oneWay = part.State.Facts.Sides[1 - side].DataSegments * OneWay < part.State.Facts.Sides[side].DataSegments;
    private int _next;

    /// <summary>
    /// False where the sender went on by itself, without an answer, later than the hold had lasted: its next data came when it would have come anyway, and the
    /// answer that came in the end did not wait for what was held.
    /// </summary>
    /// <param name="hold">What was held; not before the one asked for last.</param>
    public bool Has(in NagleHold hold)
    {
        Span<PacketRecord> records = part.Records;
        while (_next < records.Length && records[_next].Frame < hold.ReleasedFrame)
        {
            _next++;
        }

        for (int i = _next + 1; i < records.Length && !_oneWay; i++)
        {
            if (records[i].Has(PacketTraits.NewData))
            {
                return records[i].Side != side || records[i].TimeNs - hold.ReleasedNs <= hold.HeldNs;
            }
        }

        return true;
    }
}
