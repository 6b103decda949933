using LatencyTuner.Core.Analysis.Stalls;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Measurement.Experiments;
using LatencyTuner.Core.Sockets;

namespace LatencyTuner.Core.Analysis.Diagnosis;

/// <summary>The cells that concern messages of one direction, named by role.</summary>
internal sealed record SplitDirection(
    Side Sender, CellResult? OneWrite, CellResult? Split, CellResult? NoDelay, CellResult? ReceiverAck, CellResult? SenderAck,
    CellResult? NoDelayAndReceiverAck)
{
    internal Side Receiver => Sender == Side.Client ? Side.Server : Side.Client;

    internal string SenderName => Sender == Side.Client ? "client" : "server";

    internal string ReceiverName => Sender == Side.Client ? "server" : "client";

    internal string Message => Sender == Side.Client ? "request" : "reply";

    /// <summary>A sentence of a cure with the ends and messages of this direction.</summary>
    internal string InWords(string sentence) => Cure.InWords(sentence, Sender);

    internal static SplitDirection Requests(ExperimentResult result) => new(
        Side.Client, result[ExperimentCell.OneWrite], result[ExperimentCell.Split], result[ExperimentCell.SplitNoDelay],
        result[ExperimentCell.SplitPeerAck], result[ExperimentCell.SplitOwnAck], result[ExperimentCell.SplitNoDelayPeerAck]);

    internal static SplitDirection Replies(ExperimentResult result) => new(
        Side.Server, result[ExperimentCell.OneWrite], result[ExperimentCell.SplitReplies], result[ExperimentCell.SplitRepliesPeerNoDelay],
        result[ExperimentCell.SplitRepliesOwnAck], result[ExperimentCell.SplitRepliesPeerAck], null);

    /// <summary>The kernel's counters of the end that splits its messages.</summary>
    internal EndCounters? SenderCounters(CellResult? cell) =>
        cell is null ? null : EndCounters.From(Sender == Side.Client ? cell.Local : cell.Peer);

    /// <summary>Segments retransmitted at either end: a lost reply stalls a request as a lost request does. Null where no kernel counts them.</summary>
    internal static long? Retransmitted(CellResult cell, ExperimentPlan plan)
    {
        long? local = EndCounters.From(cell.Local)?.SegmentsRetransmitted(plan.Size);
        long? peer = EndCounters.From(cell.Peer)?.SegmentsRetransmitted(plan.ReplySize);
        return local is null && peer is null ? null : (local ?? 0) + (peer ?? 0);
    }

    /// <summary>True when immediate ACKs at the receiver were measured and could take effect.</summary>
    internal bool ReceiverAckWorks => ReceiverAck is { Response.Count: > 0 } cell && TookEffect(Sender == Side.Client ? cell.PeerAck : cell.LocalAck);

    /// <summary>True when immediate ACKs at the sender, the wrong end, were measured and could take effect.</summary>
    internal bool SenderAckWorks => SenderAck is { Response.Count: > 0 } cell && TookEffect(Sender == Side.Client ? cell.LocalAck : cell.PeerAck);

    private static bool TookEffect(AckEffect effect) => effect is AckEffect.Immediate or AckEffect.Unknown;
}
