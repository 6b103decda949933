using LatencyTuner.Core.Capture;

namespace LatencyTuner.Core.Recordings.Captures;

/// <summary>
/// The peer's window as the sender sees it through the path, for a tap that is not at the sender: finds the ACK that first allowed each segment. A
/// segment that comes exactly one round trip after this ACK had waited for it.
/// </summary>
internal ref struct WindowSeen(int side)
{
    /// <summary>By so much one answer of a host beside the tap takes longer than another, nanoseconds.</summary>
    private const long HostVariesNs = 200_000;

    private int _next;
    private bool _known;
    private uint _right;
    private long _advancedNs;
    private bool _closed;

    /// <summary>Adds one segment with new data; segments are added in order.</summary>
    public void Released(ConnectionPass part, ref SenderState state, in PacketRecord data)
    {
        Span<PacketRecord> records = part.Records;
        uint before = _right;
        bool held = false;
        long allowedNs = 0;
        bool byReader = false;
        while ((!_known || SequenceNumber.Less(_right, data.End)) && _next < records.Length && records[_next].TimeNs <= data.TimeNs)
        {
            ref PacketRecord ack = ref records[_next++];
            _advancedNs = ack.Side != side && ack.Has(PacketTraits.Advancing) ? ack.TimeNs : _advancedNs;
            uint right = ack.Acknowledgement + ack.Window;
            bool closed = _closed;
            _closed = ack.Side != side ? ack.Window == 0 : _closed;
            if (ack.Side == side || !ack.Has(PacketTraits.Ack) || ack.Has(PacketTraits.Rst) || (_known && SequenceNumber.LessOrEqual(right, _right)))
            {
                continue;
            }

            held = _known && SequenceNumber.Less(_right, data.End);
            // A window of nothing is counted as closed already.
            byReader = !closed && ack.Has(PacketTraits.WindowUpdate) && ack.Acknowledgement == data.Sequence
                && ack.TimeNs - _advancedNs >= SenderAcks.LateReadNs(part);
            (before, _right, allowedNs, _known) = (_right, right, ack.TimeNs, true);
        }

        ref SideTiming timing = ref part.Timing[side];
        long late = data.TimeNs - allowedNs - timing.BaseNs;
        int room = SequenceNumber.Beyond(before, data.Sequence);
        bool waited = held && !SenderAcks.Unexplained(part, side, ref state, room)
            && SequenceNumber.LessOrEqual(data.End, _right) && state.SentNs != 0 && state.SentNs < data.TimeNs
            && state.GapNs <= state.SentNs && !data.Has(PacketTraits.AcksUnseen | PacketTraits.CaptureGap)
            && room < SenderAcks.Least(part, side, ref state);
        // The shortest of a few round trips may be longer than the path needs at best, a short one by most of it.
        waited &= late >= -Math.Min(timing.BaseNs, Math.Max(timing.BaseNs / 5, HostVariesNs));
        // What comes later still, with no room before it, may have waited for the window or for something else.
        state.MayBeAtEdge = waited && late <= timing.BaseNs / 2;
        SideFacts facts = part.State.Facts.Sides[side];
        bool prompt = late <= timing.ReleaseNs + timing.VaryNs;
        // And a path varies: most of what the window let go must have come in time.
        if (waited && (prompt || (late <= timing.BaseNs / 4 && facts.WindowReleases > 2 * state.LateReleases)))
        {
            state.LateReleases += prompt ? 0 : 1;
            SenderWindows.Wait(part, side, ref state, state.SentNs, data.TimeNs, byReader);
        }
    }
}
