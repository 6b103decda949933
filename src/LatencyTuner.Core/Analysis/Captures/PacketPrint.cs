namespace LatencyTuner.Core.Analysis.Captures;

/// <summary>What identifies a packet in two captures, and when it passed. NAT aside, nothing on the path changes these.</summary>
internal readonly record struct PacketPrint(uint Sequence, uint Acknowledgement, int Length, ushort IpId, byte Side, byte Flags, long TimeNs)
{
    /// <summary>Everything but the time.</summary>
    public PacketPrint Identity => this with { TimeNs = 0 };
}
