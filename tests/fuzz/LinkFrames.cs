using static LatencyTuner.Fuzz.Datagrams;

namespace LatencyTuner.Fuzz;

/// <summary>One datagram in every link layer and every tunnel that is decoded.</summary>
internal static class LinkFrames
{
    private static readonly byte[] Four = V4(Tcp());
    private static readonly byte[] Six = V6(Tcp());

    public static readonly Dictionary<string, (int Link, byte[] Frame)> All = new()
    {
        ["Ethernet"] = (1, Ethernet(0x0800, Four)),
        ["Ethernet, IPv6"] = (1, Ethernet(0x86DD, Six)),
        ["padded"] = (1, Ethernet(0x0800, [.. Four, 0, 0, 0, 0])),
        ["VLAN"] = (1, Ethernet(0x8100, [0, 5, 0x08, 0, .. Four])),
        ["QinQ"] = (1, Ethernet(0x88A8, [0, 5, 0x81, 0, 0, 6, 0x86, 0xDD, .. Six])),
        ["old QinQ"] = (1, Ethernet(0x9100, [0, 5, 0x91, 0, 0, 6, 0x81, 0, 0, 7, 0x08, 0, .. Four])),
        ["PPPoE"] = (1, Ethernet(0x8864, [0x11, 0, 0, 1, .. Big(Four.Length + 2), 0, 0x21, .. Four])),
        ["PPPoE, IPv6"] = (1, Ethernet(0x8864, [0x11, 0, 0, 1, .. Big(Six.Length + 2), 0, 0x57, .. Six])),
        ["PPPoE, padding in the IP length"] = (1,
            Ethernet(0x8864, [0x11, 0, 0, 1, .. Big(Four.Length + 2), 0, 0x21, .. V4(Tcp(), total: Four.Length + 6), 0, 0, 0, 0, 0, 0])),
        ["MPLS"] = (1, Ethernet(0x8847, [0, 0, 0x10, 64, 0, 0, 0x21, 64, .. Four])),
        ["MPLS, IPv6"] = (1, Ethernet(0x8848, [0, 0, 0x21, 64, .. Six])),
        ["SNAP"] = (1, Ethernet((ushort)(Four.Length + 8), [0xAA, 0xAA, 3, 0, 0, 0, 8, 0, .. Four])),
        ["FDDI"] = (10, [0x51, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 0xAA, 0xAA, 3, 0, 0, 0, 8, 0, .. Four]),
        ["cooked"] = (113, [0, 0, 0, 1, 0, 6, 1, 2, 3, 4, 5, 6, 0, 0, 0x08, 0, .. Four]),
        ["cooked, VLAN"] = (113, [0, 0, 0, 1, 0, 6, 1, 2, 3, 4, 5, 6, 0, 0, 0x81, 0, 0, 5, 0x86, 0xDD, .. Six]),
        ["cooked 2"] = (276, [0x08, 0, 0, 0, 0, 0, 0, 2, 0, 1, 0, 6, 1, 2, 3, 4, 5, 6, 0, 0, .. Four]),
        ["NULL little"] = (0, [2, 0, 0, 0, .. Four]),
        ["NULL big"] = (0, [0, 0, 0, 2, .. Four]),
        ["LOOP"] = (108, [0, 0, 0, 2, .. Four]),
        ["LOOP little"] = (108, [2, 0, 0, 0, .. Four]),
        ["NULL, Linux"] = (0, [10, 0, 0, 0, .. Six]),
        ["NULL, Windows"] = (0, [23, 0, 0, 0, .. Six]),
        ["NULL, OpenBSD"] = (0, [24, 0, 0, 0, .. Six]),
        ["NULL, FreeBSD"] = (0, [0, 0, 0, 28, .. Six]),
        ["NULL, macOS"] = (0, [30, 0, 0, 0, .. Six]),
        ["raw 12"] = (12, Four),
        ["raw 14"] = (14, Six),
        ["raw 101"] = (101, Four),
        ["raw IPv4"] = (228, Four),
        ["raw IPv6"] = (229, Six),
        ["PPP"] = (9, [0xFF, 3, 0, 0x21, .. Four]),
        ["PPP, compressed"] = (9, [0x21, .. Four]),
        ["IP in IP"] = (101, V4(Four, 4)),
        ["IPv6 in IP"] = (101, V4(Six, 41)),
        ["IP in IPv6"] = (101, V6(Four, 4)),
        ["GRE"] = (101, V4([0, 0, 8, 0, .. Four], 47)),
        ["GRE, all fields"] = (101, V4([0xB0, 0, 0x86, 0xDD, .. new byte[12], .. Six], 47)),
        ["GRE, Ethernet"] = (101, V4([0, 0, 0x65, 0x58, .. Ethernet(0x0800, Four)], 47)),
        ["PPTP"] = (101, V4([0x30, 0x81, 0x88, 0x0B, .. new byte[12], 0xFF, 3, 0, 0x21, .. Four], 47)),
        ["VXLAN"] = (101, V4([0x12, 0x34, 0x12, 0xB5, 0, 0, 0, 0, 8, 0, 0, 0, 0, 0, 1, 0, .. Ethernet(0x0800, Four)], 17)),
        ["IPv6 extension headers"] = (101, V6(Extension(43, Extension(60, Extension(135, Extension(6, Tcp())))), 0)),
        ["IPv6 authentication"] = (101, V6([6, 4, 0, 0, .. new byte[20], .. Tcp()], 51)),
        ["IPv6 atomic fragment"] = (101, V6(FragmentHeader(6, 0, false, 9, Tcp()), 44)),
    };
}
