using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Settings;
using Xunit;

namespace LatencyTuner.Tests.Settings;

public sealed class HostFactsOfRegistry
{
    private const string A = "{AAAAAAAA-0000-0000-0000-000000000001}";
    private const string B = "{BBBBBBBB-0000-0000-0000-000000000002}";
    private const string C = "{CCCCCCCC-0000-0000-0000-000000000003}";

    [Theory]
    [InlineData("Microsoft Corporation", "Virtual Machine", "Hyper-V")]
    [InlineData("Microsoft Corporation", "Surface Laptop", null)]
    [InlineData("VMware, Inc.", "VMware20,1", "VMware")]
    [InlineData("innotek GmbH", "VirtualBox", "VirtualBox")]
    [InlineData("QEMU", "Standard PC (Q35 + ICH9, 2009)", "QEMU")]
    [InlineData("Amazon EC2", "m5.large", "Amazon EC2")]
    [InlineData("Amazon EC2", "m5.metal", null)]
    [InlineData("Amazon EC2", "c7i.metal-24xl", null)]
    [InlineData("Xen", "HVM domU", "Xen")]
    [InlineData("Dell Inc.", "PowerEdge R750", null)]
    [InlineData(null, null, null)]
    public void Hypervisor_IsTheOneTheFirmwareNames(string? maker, string? product, string? expected) =>
    Assert.Equal(expected, HostFacts.Hypervisor(maker, product));

    [Fact]
    public void Os_IsReadFromTextsWithAndWithoutTheirEnd()
    {
        Dictionary<string, SettingValue> values = new()
        {
            ["ProductName"] = SettingValue.Of("Windows 10 Pro"),
            ["CurrentBuildNumber"] = SettingValue.Other(1, "2\03\01\00\00\0"u8),
            ["UBR"] = SettingValue.Dword(4),
            ["InstallationType"] = SettingValue.Of("Client"),
        };

        HostOs os = HostFacts.Os(name => values.GetValueOrDefault(name, SettingValue.Absent));

        Assert.Equal(new HostOs { Product = "Windows 11 Pro", Build = 23100, Revision = 4, IsServer = false }, os);
        Assert.Equal(new HostOs(), HostFacts.Os(_ => SettingValue.Absent));
        Assert.Null(HostFacts.Os(_ => SettingValue.Of("99999999999")).Build);
    }

    [Fact]
    public void Interfaces_AKeyWithoutAdapterIsAGhost()
    {
        NetworkInterface[] adapters = [new() { Guid = B, Index = 7, Alias = "old" }, new() { Guid = A, Index = 3 }];

        IReadOnlyList<NetworkInterface> found =
            HostFacts.Interfaces([C, B.ToLowerInvariant(), "not a GUID", C], adapters, guid => guid == B ? "Ethernet" : null);

        Assert.Equal([(A, null, false), (B, "Ethernet", false), (C, null, true)], found.Select(i => (i.Guid, i.Alias, i.IsGhost)));
    }

    [Fact]
    public void Interfaces_WithoutAListOfAdaptersNothingIsAGhost() =>
        Assert.All(HostFacts.Interfaces([A, B], null, _ => null), i => Assert.False(i.IsGhost));

    [Fact]
    public void Interfaces_KeepTheAliasOfTheAdapterWhereTheRegistryHasNone() =>
        Assert.Equal(
            "eth", Assert.Single(
                HostFacts.Interfaces([], [new NetworkInterface { Guid = A, Alias = "eth" }, new NetworkInterface { Guid = "1" }], _ => null)).Alias);
}
