using LatencyTuner.Core.Capture;

namespace LatencyTuner.Core.Recordings.Captures;

/// <summary>
/// A packet that a tool wrote longer than it was: the receiver stops inside it, with room for the rest, and what goes on there is neither the rest nor a
/// full segment. What follows is new data, although its numbers seem to have been sent before.
/// </summary>
internal struct FalseLength
{
    private bool _stoppedInside;
    private uint _from;
    private uint _end;

    /// <summary>An ACK that advances.</summary>
    /// <param name="ack">The ACK.</param>
    /// <param name="highest">The sequence number after the highest data so far.</param>
    public void Acknowledged(in PacketRecord ack, uint highest) =>
        _stoppedInside = ack.Window > 0 && !ack.Has(PacketTraits.ExactEnd) && SequenceNumber.Less(ack.Acknowledgement, highest);

    /// <summary>True for data that a false length makes look like a copy.</summary>
    /// <param name="data">The data.</param>
    /// <param name="acknowledged">The highest acknowledgement so far.</param>
    /// <param name="highest">The sequence number after the highest data so far, this data included.</param>
    /// <param name="mss">Payload of the sender's full segments, bytes.</param>
    public bool Explains(in PacketRecord data, uint acknowledged, uint highest, int mss)
    {
        bool rest = data.End == highest || data.Length % mss == 0;
        if (_stoppedInside && data.Covered <= 1 && data.Sequence == acknowledged && !rest)
        {
            (_from, _end) = (data.Sequence, highest);
        }

        if (_from == _end || SequenceNumber.Less(data.Sequence, _from) || !SequenceNumber.Less(data.Sequence, _end))
        {
            return false;
        }

        _from = SequenceNumber.Less(data.End, _end) ? data.End : _end;
        return true;
    }
}
