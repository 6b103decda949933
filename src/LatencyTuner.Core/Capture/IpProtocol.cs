namespace LatencyTuner.Core.Capture;

/// <summary>Values of IPv4's protocol field and IPv6's next header (the registry of Internet protocol numbers).</summary>
internal static class IpProtocol
{
    public const byte HopByHop = 0;
    public const byte Icmp = 1;
    public const byte IpInIp = 4;
    public const byte Tcp = 6;
    public const byte Udp = 17;
    public const byte Ipv6InIp = 41;
    public const byte Routing = 43;
    public const byte Fragment = 44;
    public const byte Gre = 47;
    public const byte Authentication = 51;
    public const byte Icmpv6 = 58;
    public const byte DestinationOptions = 60;
    public const byte Mobility = 135;
    public const byte HostIdentity = 139;
    public const byte Shim6 = 140;
}
