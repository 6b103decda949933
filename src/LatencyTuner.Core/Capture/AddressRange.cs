using System.Net;

namespace LatencyTuner.Core.Capture;

/// <summary>Addresses that share their first bits.</summary>
internal readonly struct AddressRange
{
    private const int MappedBits = 96;

    private readonly ulong _highMask;
    private readonly ulong _lowMask;
    private readonly IpAddressValue _first;
    private readonly bool _isV4;

    private AddressRange(IpAddressValue address, int bits)
    {
        _highMask = bits >= 64 ? ulong.MaxValue : ~(ulong.MaxValue >> bits);
        _lowMask = bits >= 128 ? ulong.MaxValue : bits <= 64 ? 0 : ~(ulong.MaxValue >> (bits - 64));
        _first = new IpAddressValue(address.High & _highMask, address.Low & _lowMask);
        _isV4 = address.IsV4;
    }

    /// <summary>The addresses of a network: IPv4 or IPv6, not both.</summary>
    public static AddressRange From(IPNetwork network)
    {
        IpAddressValue address = IpAddressValue.From(network.BaseAddress);
        return new AddressRange(address, network.PrefixLength + (network.BaseAddress.GetAddressBytes().Length == 4 ? MappedBits : 0));
    }

    /// <summary>True when the range contains an address.</summary>
    public bool Contains(IpAddressValue address) =>
        address.IsV4 == _isV4 && (address.High & _highMask) == _first.High && (address.Low & _lowMask) == _first.Low;
}
