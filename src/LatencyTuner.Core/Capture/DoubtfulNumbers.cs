using System.Runtime.CompilerServices;

namespace LatencyTuner.Core.Capture;

/// <summary>
/// Sequence and acknowledgement numbers that no window of a connection explains: bits of the packet were changed after it was sent. Where the next packet of
/// the same end goes on from there, the capture missed what came between, and the numbers are right.
/// </summary>
internal static class DoubtfulNumbers
{
    // A capture that lost packets may have missed the largest window.
    private const int LeastReach = 1 << 20;
    private const int UnscaledReach = 1 << 26;
    private const int Windows = 4;

    /// <summary>True for a packet that is to be left out.</summary>
    /// <param name="sender">The direction of the packet's sender; remembers the packet.</param>
    /// <param name="peer">The other direction.</param>
    /// <param name="segment">The packet.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool Are(ref FlowState sender, in FlowState peer, in TcpSegment segment) =>
        (Far(segment.Sequence, sender.Next, LeastReach) || Far(segment.Acknowledgement, peer.Next, LeastReach)) && Judge(ref sender, in peer, in segment);

    /// <summary>
    /// True for the first data of an end whose packets without data had numbers that no window explains: a device had sent those for it, such as a load
    /// balancer that asks whether the other end is still there.
    /// </summary>
    public static bool IsFirst(in FlowState sender, in TcpSegment segment) =>
        segment.PayloadLength > 0 && sender is { DataPackets: 0, SynSeen: false } && Far(segment.Sequence, sender.Next, ReceivedAck.FarthestWindow);

    private static bool Judge(ref FlowState sender, in FlowState peer, in TcpSegment segment)
    {
        if ((segment.Flags & (TcpFlags.Syn | TcpFlags.Rst)) != 0 || (segment.Flags & TcpFlags.Ack) == 0 || !sender.Started || !peer.Started)
        {
            return false;
        }

        int sent = Reach(in sender, in peer);
        int received = Reach(in peer, in sender);
        bool data = !IsFirst(in sender, in segment) && Far(segment.Sequence, sender.Next, sent)
            && !(sender.AckSeen && !Far(segment.Sequence, sender.Acknowledged, sent));
        // Where only one direction was captured, its ACKs may go on by any step.
        bool ack = peer.Packets > 0 && Far(segment.Acknowledgement, peer.Next, received)
            && !(peer.AckSeen && !Far(segment.Acknowledgement, peer.Acknowledged, received));
        // No packet is both later and earlier than the one before it.
        bool contradicts = peer.AckSeen && SequenceNumber.Beyond(segment.Sequence, sender.Next) > LeastReach
            && SequenceNumber.Beyond(peer.Acknowledged, segment.Acknowledgement) > LeastReach;
        if (!data && !ack && !contradicts)
        {
            return false;
        }

        // A changed bit moves a number once; a capture with large gaps goes on from gap to gap.
        bool again = sender.DoubtedPacket == sender.Packets - 1 && SequenceNumber.LessOrEqual(sender.DoubtedSequence, segment.Sequence)
            && SequenceNumber.LessOrEqual(sender.DoubtedAcknowledgement, segment.Acknowledgement);
        (sender.DoubtedPacket, sender.DoubtedSequence, sender.DoubtedAcknowledgement) = (sender.Packets, segment.Sequence, segment.Acknowledgement);
        return !again;
    }

    /// <summary>How far one direction's numbers may be from the last ones, bytes.</summary>
    private static int Reach(in FlowState sender, in FlowState receiver) =>
        receiver.ScaleKnown(in sender) ? (int)Math.Clamp(Windows * (long)receiver.LargestWindow, LeastReach, int.MaxValue) : UnscaledReach;

    private static bool Far(uint number, uint from, int reach) => number - from + (uint)reach > 2 * (uint)reach;
}
