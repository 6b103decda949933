using System.Text;
using LatencyTuner.Core;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Settings;
using Xunit;

namespace LatencyTuner.Tests.Settings;

public sealed class Components
{
    private const string Services = @"HKLM\SYSTEM\CurrentControlSet\Services";
    private const string Network = @"HKLM\SYSTEM\CurrentControlSet\Control\Network\{4D36E974-E325-11CE-BFC1-08002BE10318}";

    private static RegistryTree Tree(params (string Key, string Name, SettingValue Value)[] values)
    {
        MemorySettingsStore store = new();
        foreach ((string? key, string? name, SettingValue? value) in values)
        {
            store.Write(new SettingLocation.Registry(key, name), value);
        }

        return new RegistryTree(
            store, key =>
                [.. store.Containers.Where(c => c.StartsWith(key + '\\', StringComparison.OrdinalIgnoreCase))
                    .Select(c => c[(key.Length + 1)..].Split('\\')[0]).Distinct(StringComparer.OrdinalIgnoreCase)]);
    }

    /// <summary>An entry as winsock2.h lays it out: 260 bytes of path, then flags, GUID, id, the chain, nine numbers, two more, and the name.</summary>
    private static byte[] Entry(string path, int chain, string name)
    {
        using MemoryStream memory = new();
        using (BinaryWriter writer = new(memory))
        {
            writer.Write(Encoding.Latin1.GetBytes(path.PadRight(260, '\0')));
            writer.Write(new byte[(5 * 4) + 16 + 4]);
            writer.Write(chain);
            writer.Write(new byte[7 * 4]);
            writer.Write(new byte[(9 + 2) * 4]);
            writer.Write(Encoding.Unicode.GetBytes(name.PadRight(256, '\0')));
        }

        return memory.ToArray();
    }

    private static (string, SettingValue) Catalogue(int number, byte[] entry) =>
        ($@"{Services}\WinSock2\Parameters\Protocol_Catalog9\Catalog_Entries64\{number:D12}", SettingValue.Binary(entry));

    [Fact]
    public void Winsock_ListsLayeredProvidersAndChainsButNoPlainOnes()
    {
        (string, SettingValue)[] values = new[]
        {
            Catalogue(1, Entry(@"%SystemRoot%\system32\mswsock.dll", 1, "MSAFD Tcpip [TCP/IP]")),
            Catalogue(2, Entry(@"C:\Program Files\Old\lsp.dll", 0, "Old LSP")),
            Catalogue(3, Entry(@"C:\Program Files\Old\lsp.dll", 2, "Old LSP over [MSAFD Tcpip]")), Catalogue(4, [1, 2, 3]),
            Catalogue(5, Entry("x", 99, "broken")),
        };

        IReadOnlyList<HostComponent> found = PathComponents.Of(Tree([.. values.Select(v => (v.Item1, "PackedCatalogItem", v.Item2))]));

        Assert.Equal(
            [
                ("layered-service-provider", "Old LSP", @"C:\Program Files\Old\lsp.dll"),
                ("layered-service-provider", "Old LSP over [MSAFD Tcpip]", @"C:\Program Files\Old\lsp.dll")],
            found.Select(c => (c.Kind, c.Name, c.Detail)));
        Assert.Equal(888, Entry("", 1, "").Length);
        Assert.Equal(888, WinsockCatalogue.EntryBytes);
    }

    [Fact]
    public void Filters_AreTheNetworkServicesWithAFilterClass()
    {
        IReadOnlyList<HostComponent> found = PathComponents.Of(Tree(
            ($@"{Network}\{{A}}", "ComponentId", SettingValue.Of("INSECURE_NPCAP")),
            ($@"{Network}\{{A}}", "Description", SettingValue.Of("Npcap Packet Driver (NPCAP)")),
            ($@"{Network}\{{A}}\Ndi", "FilterClass", SettingValue.Of("compression")),
            ($@"{Network}\{{B}}", "ComponentId", SettingValue.Of("ms_server")),
            ($@"{Network}\{{C}}", "Description", SettingValue.Of("@netpacer.inf,%desc%;QoS")),
            ($@"{Network}\{{C}}", "ComponentId", SettingValue.Of("ms_pacer")),
            ($@"{Network}\{{C}}\Ndi", "FilterClass", SettingValue.Of("scheduler"))));

        Assert.Equal(
            [("Npcap Packet Driver (NPCAP)", "insecure_npcap, filter class compression"), ("ms_pacer", "ms_pacer, filter class scheduler")],
            found.Select(c => (c.Name, c.Detail)));
    }

    [Fact]
    public void Merge_ListsAFilterOnce()
    {
        HostComponent Filter(string name, string detail) => new() { Kind = "ndis-filter", Name = name, Detail = detail };
        IReadOnlyList<HostComponent> merged =
            PathComponents.Merge(
                [Filter("Npcap", "insecure_npcap, filter class compression"), Filter("Pacer", "ms_pacer, filter class scheduler")],
                [Filter("Npcap Packet Driver", "insecure_npcap, on Ethernet")]);

        Assert.Equal(["insecure_npcap, on Ethernet", "ms_pacer, filter class scheduler"], merged.Select(c => c.Detail));
    }

    [Fact]
    public void Security_IsToldByTheLoadOrderGroup()
    {
        IReadOnlyList<HostComponent> found = PathComponents.Of(Tree(
            ($@"{Services}\WdFilter", "Group", SettingValue.Of("FSFilter Anti-Virus")),
            ($@"{Services}\WdFilter", "DisplayName", SettingValue.Of("@%ProgramFiles%\\x.dll,-1")),
            ($@"{Services}\WdFilter\Instances", "DefaultInstance", SettingValue.Of("WdFilter Instance")),
            ($@"{Services}\WdFilter\Instances\WdFilter Instance", "Altitude", SettingValue.Of("328010")),
            ($@"{Services}\edr", "Group", SettingValue.Of("FSFilter Activity Monitor")),
            ($@"{Services}\edr", "DisplayName", SettingValue.Of("Example sensor")),
            ($@"{Services}\edr", "Start", SettingValue.Dword(4)),
            ($@"{Services}\Tcpip", "Group", SettingValue.Of("PNP_TDI"))));

        Assert.Equal(
            [("Example sensor", "edr, activity monitor, disabled"), ("WdFilter", "WdFilter, virus scanner, altitude 328010")],
            found.Select(c => (c.Name, c.Detail)));
    }

    [Fact]
    public void Policies_AreCountedAndNotNamed()
    {
        const string Policies = @"HKLM\SOFTWARE\Policies\Microsoft\Windows";
        RegistryTree tree = Tree(
            (@"HKLM\SOFTWARE\Microsoft\Windows\CurrentVersion\Group Policy\State\Machine\GPO-List\0", "DisplayName", SettingValue.Of("CORP secret project")),
            ($@"{Policies}\QoS\SQL first", "DSCP Value", SettingValue.Of("46")),
            ($@"{Policies}\Psched", "NonBestEffortLimit", SettingValue.Dword(0)),
            (@"HKLM\SOFTWARE\Microsoft\Enrollments\{1}", "ProviderID", SettingValue.Of("MS DM Server")),
            ($@"{Services}\CcmExec", "ImagePath", SettingValue.Expand("x")));

        IReadOnlyList<HostComponent> found = PolicyComponents.Of(tree, cimAutoTuning: 1, hasDscConfiguration: true);

        Assert.All(found, c => Assert.Equal("policy", c.Kind));
        Assert.Equal(
            [
                "Group policy", "QoS policies", "QoS packet scheduler", "Receive window auto-tuning", "Mobile device management (Intune)", "PowerShell DSC",
                "Microsoft Configuration Manager"],
            found.Select(c => c.Name));
        Assert.DoesNotContain(
            found, c => c.Detail?.Contains("secret", StringComparison.Ordinal) == true || c.Detail?.Contains("SQL", StringComparison.Ordinal) == true);
        Assert.Empty(PolicyComponents.Of(Tree(), 0, false));
    }

    [Fact]
    public void Tree_WhatIsDeniedIsNotThereAndIsRemembered()
    {
        MemorySettingsStore store = new() { BeforeRead = l => throw new ExpectedFailureException(ExitCode.Platform, $"{l}: access is denied.") };
        RegistryTree tree = new(store, key => throw new ExpectedFailureException(ExitCode.Platform, $"{key}: access is denied."));

        Assert.Empty(PathComponents.Of(tree));
        Assert.Empty(PolicyComponents.Of(tree));
        Assert.True(tree.Denied.Count > 5);
    }

    [Theory]
    [InlineData("<configuration/>", "useNagleAlgorithm not set, which means true; expect100Continue not set, which means true")]
    [InlineData(
        "<configuration><system.net><settings><servicePointManager useNagleAlgorithm='false' expect100Continue=\"True\" "
        + "/></settings></system.net></configuration>", "useNagleAlgorithm false; expect100Continue true")]
    [InlineData(
        "<configuration><system.net><settings><servicePointManager useNagleAlgorithm='no'/></settings></system.net></configuration>",
        "useNagleAlgorithm is \"no\", which is neither true nor false; expect100Continue not set, which means true")]
    [InlineData(
        "<configuration xmlns='urn:x'><system.net><connectionManagement><add address='*' maxconnection='24'/><remove "
        + "address='a'/></connectionManagement></system.net></configuration>",
        "useNagleAlgorithm not set, which means true; expect100Continue not set, which means true; * at most 24 connections")]
    public void DotNetConfig_TellsWhatIsSetAndWhatHoldsOtherwise(string xml, string detail)
    {
        HostComponent component = DotNetConfig.Read([.. Encoding.UTF8.GetPreamble(), .. Encoding.UTF8.GetBytes(xml)], "machine.config");

        Assert.Equal(("dotnet-config", "machine.config", detail), (component.Kind, component.Name, component.Detail));
    }

    [Theory]
    [InlineData("")]
    [InlineData("<configuration>")]
    [InlineData("<!DOCTYPE c [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><configuration>&x;</configuration>")]
    [InlineData("<!DOCTYPE c><configuration/>")]
    public void DotNetConfig_RefusesWhatIsNoPlainXml(string xml)
    {
        ExpectedFailureException failure = Assert.Throws<ExpectedFailureException>(() => DotNetConfig.Read(Encoding.UTF8.GetBytes(xml), "machine.config"));

        Assert.Equal(ExitCode.Input, failure.Code);
        Assert.StartsWith("machine.config: line ", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void DotNetConfig_RefusesWhatIsTooLarge() =>
        Assert.Contains(
            "are too many", Assert.Throws<ExpectedFailureException>(() => DotNetConfig.Read(new byte[DotNetConfig.MaxBytes + 1], "m")).Message,
            StringComparison.Ordinal);

    [Fact]
    public void Callouts_AreListedByNameWithoutThoseOfWindows()
    {
        List<string> notes = new();

        IReadOnlyList<HostComponent> listed =
            PathComponents.Callouts(
                ["WFP Built-in Silent Drop Transport v4 Discard Layer Callout", "edr_flow_v4", "EDR_FLOW_V4 ", null, "av_stream"], notes.Add);

        Assert.Equal(["av_stream ", "edr_flow_v4 2 callouts", "without a name "], listed.Select(c => $"{c.Name} {c.Detail}"));
        Assert.All(listed, c => Assert.Equal("wfp-callout", c.Kind));
        Assert.Equal("1 of 5 WFP callouts came with Windows and are not listed.", Assert.Single(notes));
    }
}
