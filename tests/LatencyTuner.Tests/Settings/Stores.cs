using System.Net;
using LatencyTuner.Core;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Settings;
using Xunit;

namespace LatencyTuner.Tests.Settings;

public sealed class Stores
{
    private static readonly SettingLocation.Registry A = new(@"HKLM\SOFTWARE\One\Two", "A");

    private static readonly NetworkInterface Team = new()
    {
        Guid = "{00000000-0000-0000-0000-000000000001}",
        Alias = "Team 1",
        Description = "Microsoft Network Adapter Multiplexor Driver",
        Index = 12,
        Addresses = ["10.0.0.5", "fe80::5"],
    };
    private static readonly NetworkInterface Member = new()
    {
        Guid = "{00000000-0000-0000-0000-000000000002}",
        Alias = "NIC 1",
        Description = "Intel X710",
        Index = 5,
        IsTeamMember = true,
    };
    private static readonly NetworkInterface Bound = new()
    {
        Guid = "{00000000-0000-0000-0000-000000000003}",
        Alias = "NIC 2",
        Description = "Intel X710",
        Index = 6,
        IsVSwitchBound = true,
    };
    private static readonly NetworkInterface Ghost = new() { Guid = "{00000000-0000-0000-0000-000000000004}", IsGhost = true };
    private static readonly NetworkInterface Itself = new()
    {
        Guid = "{00000000-0000-0000-0000-000000000005}",
        Alias = "Loopback Pseudo-Interface 1",
        Media = NetworkInterface.Loopback,
        Addresses = ["127.0.0.1"],
    };
    private static readonly NetworkInterface Teredo = new()
    {
        Guid = "{00000000-0000-0000-0000-000000000006}",
        Alias = "Teredo Tunneling Pseudo-Interface",
        Media = NetworkInterface.Tunnel,
    };
    private static readonly NetworkInterface[] Interfaces = [Team, Member, Bound, Ghost, Itself, Teredo];

    [Fact]
    public void Write_TellsWhichKeysItMadeAndUndoesThem()
    {
        MemorySettingsStore store = new();
        store.AddContainer(@"HKLM\SOFTWARE");
        IReadOnlyList<string> before = store.Containers;

        Assert.Equal([@"HKLM\SOFTWARE\One", @"HKLM\SOFTWARE\One\Two"], store.Write(A, SettingValue.Dword(1)));
        Assert.Empty(store.Write(new SettingLocation.Registry(@"hklm\software\one\TWO", "b"), SettingValue.Dword(2)));
        Assert.Equal(SettingValue.Dword(1), store.Read(new SettingLocation.Registry(@"HKLM\software\ONE\two", "a")));
        Assert.False(store.RemoveEmptyContainer(A.Key));

        store.Write(A, SettingValue.Absent);
        store.Write(A with { Value = "B" }, SettingValue.Absent);
        Assert.False(store.RemoveEmptyContainer(@"HKLM\SOFTWARE\One"));
        Assert.True(store.RemoveEmptyContainer(A.Key) && store.RemoveEmptyContainer(@"HKLM\SOFTWARE\One"));
        Assert.Equal(before, store.Containers);
    }

    [Fact]
    public void Write_FailsWhereATestWantsIt()
    {
        MemorySettingsStore store = new() { BeforeWrite = (_, _) => throw new ExpectedFailureException(ExitCode.Platform, "denied") };

        Assert.Throws<ExpectedFailureException>(() => store.Write(A, SettingValue.Dword(1)));
        Assert.Empty(store.Values);
        Assert.Empty(store.Containers);

        store.BeforeWrite = null;
        store.AfterWrite = (_, _) => throw new InvalidOperationException("died");
        Assert.Throws<InvalidOperationException>(() => store.Write(A, SettingValue.Dword(1)));
        Assert.Single(store.Values);

        store.AfterWrite = null;
        store.Adjust = (_, _) => SettingValue.Dword(7);
        store.Write(A, SettingValue.Dword(1));
        Assert.Equal(SettingValue.Dword(7), store.Read(A));
        Assert.Throws<ExpectedFailureException>(() => new MemorySettingsStore { IsReadOnly = true }.Write(A, SettingValue.Dword(1)));
        Assert.Throws<ExpectedFailureException>(() => new MemorySettingsStore().Write(new SettingLocation.Template("Internet", "MinRto"), SettingValue.Absent));
    }

    [Fact]
    public void Snapshot_TellsAbsentFromUnknown()
    {
        HostSnapshot snapshot = new()
        {
            Os = new(),
            Values =
            [
                Value("A", false, "REG_DWORD", "1"), Value("B", true, null), Value("C", false, null),
                Value("MinRto", false, "REG_DWORD", "300") with { Store = "template", Template = "Internet", Path = "MSFT_NetTCPSetting" },
            ],
        };
        SnapshotStore store = new(snapshot, "s.json");

        Assert.Equal(SettingValue.Dword(1), store.Read(new SettingLocation.Registry(@"HKLM\k", "a")));
        Assert.True(store.Read(new SettingLocation.Registry(@"HKLM\K", "B")).IsAbsent);
        Assert.Equal(SettingValue.Dword(300), store.Read(new SettingLocation.Template("Internet", "MinRto")));
        Assert.Contains(
            "was not read", Assert.Throws<ExpectedFailureException>(() => store.Read(new SettingLocation.Registry(@"HKLM\K", "C"))).Message,
            StringComparison.Ordinal);
        Assert.Contains(
            "does not hold", Assert.Throws<ExpectedFailureException>(() => store.Read(new SettingLocation.Registry(@"HKLM\K", "D"))).Message,
            StringComparison.Ordinal);
        Assert.Throws<ExpectedFailureException>(() => store.Write(A, SettingValue.Dword(1)));
        Assert.True(store.IsReadOnly && store.ContainerExists(@"hklm\k"));
    }

    [Theory]
    [InlineData(false, "REG_DWORD", "one")]
    [InlineData(false, "REG_DWORD", "4294967296")]
    [InlineData(false, "REG_BINARY", "abc")]
    [InlineData(false, "REG_NONSENSE", "1")]
    [InlineData(true, "REG_DWORD", "1")]
    public void Snapshot_RefusesWhatIsNoValue(bool absent, string type, string data)
    {
        ExpectedFailureException failure =
            Assert.Throws<ExpectedFailureException>(
                () => new SnapshotStore(new HostSnapshot { Os = new(), Values = [Value("A", absent, type, data)] }, "s.json"));

        Assert.Equal(ExitCode.Input, failure.Code);
        Assert.StartsWith("s.json: ", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Snapshot_RefusesAPlaceGivenTwice() =>
        Assert.Throws<ExpectedFailureException>(
            () => new SnapshotStore(new HostSnapshot { Os = new(), Values = [Value("A", true, null), Value("a", false, "REG_DWORD", "1")] }, "s.json"));

    [Theory]
    [InlineData("team 1", 12)]
    [InlineData("12", 12)]
    [InlineData("10.0.0.5", 12)]
    [InlineData("FE80:0::5", 12)]
    [InlineData("{00000000-0000-0000-0000-000000000002}", 5)]
    [InlineData("00000000-0000-0000-0000-000000000002", 5)]
    [InlineData("Microsoft Network Adapter Multiplexor Driver", 12)]
    public void Find_TakesAnyNameOfAnInterface(string name, int index) => Assert.Equal(index, InterfaceLookup.Find(Interfaces, name).Index);

    [Theory]
    [InlineData("Taem 1", "did you mean 'Team 1'?")]
    [InlineData("Intel X710", "names 2 interfaces")]
    [InlineData("10.0.0.6", "did you mean '10.0.0.5'?")]
    [InlineData("zzzzzzzzz", "There is no interface 'zzzzzzzzz'.")]
    public void Find_SaysWhatThereIs(string name, string words)
    {
        ExpectedFailureException failure = Assert.Throws<ExpectedFailureException>(() => InterfaceLookup.Find(Interfaces, name));

        Assert.Equal(ExitCode.Usage, failure.Code);
        Assert.Contains(words, failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void OwnerOf_IsTheInterfaceThatCarriesTheAddress()
    {
        Assert.Same(Team, InterfaceLookup.OwnerOf(Interfaces, IPAddress.Parse("::ffff:10.0.0.5")));
        Assert.Null(InterfaceLookup.OwnerOf([Member with { Addresses = ["10.0.0.9"] }], IPAddress.Parse("10.0.0.9")));
    }

    [Fact]
    public void RequireWritable_RefusesWhatCarriesNoConnection()
    {
        InterfaceLookup.RequireWritable(Team, Interfaces);
        InterfaceLookup.RequireWritable(Ghost, Interfaces, force: true);
        foreach ((NetworkInterface? chosen, bool force) in
            new[] { (Member, false), (Member, true), (Bound, false), (Bound, true), (Ghost, false), (Itself, true), (Teredo, true) })
        {
            ExpectedFailureException failure = Assert.Throws<ExpectedFailureException>(() => InterfaceLookup.RequireWritable(chosen, Interfaces, force));
            Assert.Equal(ExitCode.Change, failure.Code);
            Assert.Contains("Team 1", failure.Message, StringComparison.Ordinal);
        }
    }

    [Theory]
    [InlineData(true, 20348, "2022")]
    [InlineData(true, 25398, "2022")]
    [InlineData(true, 9200, null)]
    [InlineData(false, 19045, "10")]
    [InlineData(false, 26200, "11")]
    [InlineData(null, 26200, null)]
    public void DefaultsOf_IsTheReleaseBefore(bool? server, int build, string? column) =>
    Assert.Equal(column, new HostOs { IsServer = server, Build = build }.DefaultsOf());

    private static SnapshotValue Value(string name, bool absent, string? type, params string[] data) =>
        new() { Id = "x.y", Store = "registry", Path = @"HKLM\K", Name = name, Absent = absent, Type = type, Data = data };
}
