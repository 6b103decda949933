using System.Net;
using LatencyTuner.Core.Masking;
using Xunit;

namespace LatencyTuner.Tests.Masking;

/// <summary>Masks of addresses keep subnets, kinds and differences.</summary>
public sealed class AddressMasks
{
    private static readonly byte[] Key = [.. Enumerable.Range(7, 32).Select(i => (byte)i)];

    [Theory]
    [InlineData("10.1.2.3", "10.1.2.77", 24)]
    [InlineData("10.1.2.3", "10.1.9.3", 20)]
    [InlineData("192.168.4.1", "192.168.4.2", 30)]
    [InlineData("8.8.8.8", "8.8.4.4", 20)]
    [InlineData("2001:470:1::5", "2001:470:1::9", 124)]
    [InlineData("fe80::1:2", "fe80::1:3", 127)]
    public void Prefixes_AreSharedExactly(string a, string b, int bits)
    {
        using AddressMask mask = new(Key);

        Assert.Equal(Shared(IPAddress.Parse(a), IPAddress.Parse(b)), Shared(mask.Mask(IPAddress.Parse(a)), mask.Mask(IPAddress.Parse(b))));
        Assert.True(Shared(IPAddress.Parse(a), IPAddress.Parse(b)) >= bits);
        Assert.NotEqual(IPAddress.Parse(a), mask.Mask(IPAddress.Parse(a)));
    }

    [Theory]
    [InlineData("127.0.0.1")]
    [InlineData("0.0.0.0")]
    [InlineData("255.255.255.255")]
    [InlineData("224.0.0.251")]
    [InlineData("::1")]
    [InlineData("::")]
    [InlineData("ff02::1")]
    public void AddressesOfNoHost_Stay(string address)
    {
        using AddressMask mask = new(Key);

        Assert.Equal(IPAddress.Parse(address), mask.Mask(IPAddress.Parse(address)));
    }

    [Theory]
    [InlineData("10.9.9.9", "10.0.0.0/8")]
    [InlineData("172.20.1.1", "172.16.0.0/12")]
    [InlineData("192.168.1.1", "192.168.0.0/16")]
    [InlineData("169.254.7.7", "169.254.0.0/16")]
    [InlineData("100.64.1.1", "100.64.0.0/10")]
    [InlineData("239.1.2.3", "224.0.0.0/4")]
    [InlineData("fe80::abcd", "fe80::/64")]
    [InlineData("fd12:3456::1", "fd00::/8")]
    [InlineData("ff02::1:ff12:3456", "ff02::1:ff00:0/104")]
    public void Kinds_Stay(string address, string kind)
    {
        using AddressMask mask = new(Key);

        Assert.True(IPNetwork.Parse(kind).Contains(mask.Mask(IPAddress.Parse(address))));
        Assert.NotEqual(IPAddress.Parse(address), mask.Mask(IPAddress.Parse(address)));
    }

    [Fact]
    public void AddressesOfTheInternet_StaySuch_AndDiffer()
    {
        Random random = new(3);
        string[] special = ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "127.0.0.0/8", "169.254.0.0/16", "224.0.0.0/3", "0.0.0.0/8", "100.64.0.0/10"];
        IPNetwork[] kinds = [.. special.Select(IPNetwork.Parse)];
        using AddressMask mask = new(Key);
        HashSet<IPAddress> given = [];
        HashSet<IPAddress> masked = [];
        while (given.Count < 2000)
        {
            byte[] bytes = new byte[4];
            random.NextBytes(bytes);
            IPAddress address = new(bytes);
            if (!kinds.Any(k => k.Contains(address)) && given.Add(address))
            {
                IPAddress other = mask.Mask(address);
                Assert.DoesNotContain(kinds, k => k.Contains(other));
                Assert.True(masked.Add(other));
            }
        }
    }

    [Fact]
    public void AnotherKey_MasksOtherwise_TheSameKeyAlike()
    {
        using AddressMask one = new(Key);
        using AddressMask same = new(Key);
        using AddressMask other = new([.. Key.Reverse()]);
        IPAddress address = IPAddress.Parse("10.20.30.40");

        Assert.Equal(one.Mask(address), same.Mask(address));
        Assert.NotEqual(one.Mask(address), other.Mask(address));
    }

    [Fact]
    public void Devices_StayGroupsOrNone_BroadcastStays()
    {
        using AddressMask mask = new(Key);
        byte[] device = [0x00, 0x15, 0x5D, 1, 2, 3];
        byte[] broadcast = [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF];
        byte[] neighbour = [0x33, 0x33, 0xFF, 1, 2, 3];
        mask.Device(device);
        mask.Device(broadcast);
        mask.Device(neighbour);

        Assert.Equal(0, device[0] & 3);
        Assert.NotEqual([0x00, 0x15, 0x5D, 1, 2, 3], device);
        Assert.All(broadcast, b => Assert.Equal(0xFF, b));
        Assert.Equal([0x33, 0x33, 0xFF], neighbour[..3]);
        Assert.NotEqual([1, 2, 3], neighbour[3..]);
    }

    private static int Shared(IPAddress a, IPAddress b)
    {
        byte[] x = a.GetAddressBytes();
        byte[] y = b.GetAddressBytes();
        int bits = 0;
        while (bits < x.Length * 8 && ((x[bits / 8] ^ y[bits / 8]) >> (7 - (bits % 8)) & 1) == 0)
        {
            bits++;
        }

        return bits;
    }
}
