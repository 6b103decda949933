using LatencyTuner.Core.Measurement;
using LatencyTuner.Core.Measurement.Platform;

namespace LatencyTuner.Core.Analysis;

/// <summary>The cells that concern messages of one direction, named by role.</summary>
internal sealed record SplitDirection(
    Side Sender, CellResult? OneWrite, CellResult? Split, CellResult? NoDelay, CellResult? ReceiverAck, CellResult? SenderAck, CellResult? NoDelayAndReceiverAck)
{
    internal Side Receiver => Sender == Side.Client ? Side.Server : Side.Client;

    internal string SenderName => Sender == Side.Client ? "client" : "server";

    internal string ReceiverName => Sender == Side.Client ? "server" : "client";

    internal string Message => Sender == Side.Client ? "request" : "reply";

    internal static SplitDirection Requests(ExperimentResult result) => new(
        Side.Client, result[ExperimentCell.OneWrite], result[ExperimentCell.Split], result[ExperimentCell.SplitNoDelay],
        result[ExperimentCell.SplitPeerAck], result[ExperimentCell.SplitOwnAck], result[ExperimentCell.SplitNoDelayPeerAck]);

    internal static SplitDirection Replies(ExperimentResult result) => new(
        Side.Server, result[ExperimentCell.OneWrite], result[ExperimentCell.SplitReplies], result[ExperimentCell.SplitRepliesPeerNoDelay],
        result[ExperimentCell.SplitRepliesOwnAck], result[ExperimentCell.SplitRepliesPeerAck], null);

    /// <summary>The kernel's counters of the end that splits its messages.</summary>
    internal EndCounters? SenderCounters(CellResult? cell) =>
        cell is null ? null : EndCounters.From(Sender == Side.Client ? cell.Local : cell.Peer);

    /// <summary>True when the cell's immediate ACKs at the receiver could take effect.</summary>
    internal bool ReceiverAckWorks => CouldWork(ReceiverAck, Receiver);

    /// <summary>True when the cell's immediate ACKs at the sender could take effect.</summary>
    internal bool SenderAckWorks => CouldWork(SenderAck, Sender);

    private static bool CouldWork(CellResult? cell, Side side) =>
        (side == Side.Client ? cell?.LocalAck : cell?.PeerAck) is AckEffect.Immediate or AckEffect.Unknown;
}
