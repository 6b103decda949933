namespace LatencyTuner.Core.Capture;

/// <summary>Link-layer header types of captures (the registry of pcap's LINKTYPE values).</summary>
internal static class LinkTypes
{
    /// <summary>How the name of a link type begins that this program knows by number only.</summary>
    public const string Unnamed = "link type";

    public const int Null = 0;
    public const int Ethernet = 1;
    public const int Ppp = 9;
    public const int Fddi = 10;

    /// <summary>Raw IP with the number that some systems write to files.</summary>
    public const int RawBsd = 12;

    /// <summary>Raw IP with the number that OpenBSD writes to files.</summary>
    public const int RawOpenBsd = 14;

    public const int PppHdlc = 50;
    public const int Raw = 101;
    public const int Loop = 108;
    public const int LinuxCooked = 113;
    public const int Ipv4 = 228;
    public const int Ipv6 = 229;
    public const int LinuxCooked2 = 276;

    /// <summary>The name of a link type for a report.</summary>
    public static string NameOf(int linkType) => linkType switch
    {
        Null => "BSD loopback",
        Ethernet => "Ethernet",
        6 => "Token Ring",
        8 => "SLIP",
        Ppp => "PPP",
        Fddi => "FDDI",
        RawBsd or RawOpenBsd or Raw => "raw IP",
        PppHdlc => "PPP in HDLC",
        51 => "PPPoE",
        104 => "Cisco HDLC",
        105 => "IEEE 802.11",
        107 => "Frame Relay",
        Loop => "OpenBSD loopback",
        LinuxCooked => "Linux cooked",
        117 => "pf log",
        119 => "IEEE 802.11 with Prism header",
        127 => "IEEE 802.11 with radiotap header",
        >= 147 and <= 162 => $"private link type {linkType}",
        189 or 220 or 249 => "USB",
        192 => "IEEE 802.11 with PPI header",
        195 or 215 or 230 => "IEEE 802.15.4",
        201 or 187 => "Bluetooth",
        Ipv4 => "raw IPv4",
        Ipv6 => "raw IPv6",
        239 => "Linux netfilter log",
        252 => "Wireshark exported PDU",
        253 => "Linux netlink",
        LinuxCooked2 => "Linux cooked 2",
        _ => $"{Unnamed} {linkType}",
    };
}
