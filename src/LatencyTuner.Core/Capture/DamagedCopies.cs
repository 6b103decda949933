namespace LatencyTuner.Core.Capture;

/// <summary>
/// Data that passed the capture point with a wrong checksum: its receiver drops it (RFC 9293 3.1), as if it were lost. An adapter that is to fill in checksums,
/// or a tool that changed the payload, leaves wrong ones too: only what a copy with another checksum repaired was damaged, where nothing with a wrong one was
/// ever acknowledged.
/// </summary>
internal static class DamagedCopies
{
    /// <summary>Takes over a copy of what waits for its ACK.</summary>
    public static void Take(ref OutstandingSegment item, in TcpSegment segment)
    {
        item.LastIsWrong = segment.IsChecksumWrong;
        item.WrongCopies = (ushort)Math.Min(item.WrongCopies + (item.LastIsWrong ? 1 : 0), ushort.MaxValue);
    }

    /// <summary>
    /// True when any of what is sent again from an index on came last with a wrong checksum, and this copy, or what was acknowledged, had another.
    /// </summary>
    public static bool Repeats(in FlowState sender, in TcpSegment segment, int at)
    {
        uint end = segment.Sequence + segment.SequenceLength;
        bool told = !sender.ChecksumsLie && (sender.ChecksumsTell || !segment.IsChecksumWrong);
        for (; told && at < sender.Outstanding.Count && SequenceNumber.Less(sender.Outstanding[at].Sequence, end); at++)
        {
            if (sender.Outstanding[at].LastIsWrong)
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>What is acknowledged shows whether wrong checksums mean damage.</summary>
    public static void Acknowledge(ref FlowState sender, in OutstandingSegment item)
    {
        sender.ChecksumsTell |= item is { IsData: true, WrongCopies: 0 };
        if (item.WrongCopies > 0)
        {
            sender.ChecksumsLie |= item.WrongCopies == item.Sends;
            sender.DamageIsShown |= !item.LastIsWrong;
        }
    }
}
