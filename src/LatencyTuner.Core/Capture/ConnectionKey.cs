namespace LatencyTuner.Core.Capture;

/// <summary>The four-tuple of a connection: A sent its first packet.</summary>
internal readonly record struct ConnectionKey(IpAddressValue AddressA, IpAddressValue AddressB, ushort PortA, ushort PortB)
{
    /// <summary>True when a segment goes from A to B.</summary>
    public bool IsForward(in TcpSegment segment) =>
        segment.SourcePort == PortA && segment.DestinationPort == PortB && segment.Source == AddressA && segment.Destination == AddressB;

    /// <summary>True when a segment goes from B to A.</summary>
    public bool IsBackward(in TcpSegment segment) =>
        segment.SourcePort == PortB && segment.DestinationPort == PortA && segment.Source == AddressB && segment.Destination == AddressA;

    /// <summary>A hash that is the same for both directions.</summary>
    public static uint HashOf(in TcpSegment segment) => Mix(segment.Source, segment.SourcePort) + Mix(segment.Destination, segment.DestinationPort);

    /// <summary>The hash of this key, equal to <see cref="HashOf"/> of its segments.</summary>
    public uint Hash() => Mix(AddressA, PortA) + Mix(AddressB, PortB);

    private static uint Mix(in IpAddressValue address, ushort port)
    {
        ulong x = (address.High * 0x9E37_79B9_7F4A_7C15UL) ^ (address.Low * 0xC2B2_AE3D_27D4_EB4FUL) ^ (port * 0x1656_67B1_9E37_79F9UL);
        x ^= x >> 29;
        x *= 0xBF58_476D_1CE4_E5B9UL;
        return (uint)(x >> 32);
    }
}
