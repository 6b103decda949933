namespace LatencyTuner.Core.Capture;

/// <summary>What the packets of one interface need from its description block.</summary>
internal readonly struct PcapngInterface(ushort linkType, uint snapLength, byte checkLength, CaptureClock clock)
{
    public readonly CaptureClock Clock = clock;

    /// <summary>Most bytes kept of a packet; 0 is no limit.</summary>
    public readonly uint SnapLength = snapLength;

    public readonly ushort LinkType = linkType;

    /// <summary>Bytes of the frame check sequence at the end of each packet.</summary>
    public readonly byte CheckLength = checkLength;
}
