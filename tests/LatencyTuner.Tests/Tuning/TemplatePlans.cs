using LatencyTuner.Core;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Reporting.Changes;
using LatencyTuner.Core.Settings;
using LatencyTuner.Core.Tuning;
using LatencyTuner.Tests.Settings;
using Xunit;

namespace LatencyTuner.Tests.Tuning;

public sealed class TemplatePlans
{
    private static readonly SettingLocation.Filter Sql = new(TransportFilter.Parse("10.1.0.0/16:1433"));

    private static ApplicableSetting Frequency => SettingsCatalogue.Current.Find("template.delayedackfrequency").Applicable();

    private static ApplicableSetting Switch => SettingsCatalogue.Current.Find("template.automaticusecustom").Applicable();

    /// <summary>The sample host with filters and connections, as CIM tells of them.</summary>
    private static HostSnapshot Host(bool usesCustom = false, string? filter = null, HostOs? os = null) => SampleSnapshots.Server2022 with
    {
        Os = os ?? new HostOs { Product = "Windows Server 2019 Standard", Build = 17763, IsServer = true },
        TemplateUses = [new() { Template = "Internet", Connections = 412 }, new() { Template = "Datacenter", Connections = 1 }],
        Values =
        [
            .. SampleSnapshots.Server2022.Values.Where(v => v.Id != "filter.transport")
                .Select(v => v.Id == "template.automaticusecustom" ? v with { Data = [usesCustom ? "1" : "0"] } : v),
            new()
            {
                Id = "filter.transport",
                Store = "filter",
                Path = "MSFT_NetTransportFilter",
                Name = "* TCP local 0-65535 remote 0-65535",
                Absent = false,
                Type = "REG_SZ",
                Data = ["Automatic"],
            },
            .. filter is null ? Array.Empty<SnapshotValue>()
                : [
                    new()
                    {
                        Id = "filter.transport",
                        Store = "filter",
                        Path = "MSFT_NetTransportFilter",
                        Name = $"{Sql.Which.DestinationPrefix} {Sql.Which.Ports}",
                        Absent = false,
                        Type = "REG_SZ",
                        Data = [filter],
                    }],
        ],
    };

    private static string Refused(HostSnapshot host, ApplicableSetting setting, uint value, string? template, string? filter, ExitCode code)
    {
        ExpectedFailureException failure =
            Assert.Throws<ExpectedFailureException>(() => TemplatePlanning.Of(host, setting, SettingValue.Dword(value), template, filter));
        Assert.Equal(code, failure.Code);
        return failure.Message;
    }

    [Fact]
    public void Filter_IsMadeAfterThePropertyOfItsCustomTemplate()
    {
        TemplatePlan plan = TemplatePlanning.Of(Host(), Frequency, SettingValue.Dword(1), "datacentercustom", "10.1.0.0/16:1433");

        Assert.Equal(
            [("template.delayedackfrequency", "4 (0x4)", "1 (0x1)"), ("filter.transport", "absent", "\"DatacenterCustom\"")],
            plan.Changes.Select(c => (c.SettingId, c.Before.ToString(), c.After.ToString())));
        Assert.Equal(new SettingLocation.Template("DatacenterCustom", "DelayedAckFrequency"), plan.Changes[0].Location);
        Assert.Equal(Sql, plan.Changes[1].Location);
        Assert.All(
            plan.Changes,
            c => Assert.Equal(("DatacenterCustom", "10.1.0.0/16, remote port 1433", RestartNeed.NewConnections), (c.Template, c.Filter, c.Restart)));
        Assert.Contains(plan.Notes, n => n.Contains("take all values of DatacenterCustom", StringComparison.Ordinal));
    }

    [Fact]
    public void Filter_NotesTellEveryPropertyThatDiffers()
    {
        HostSnapshot host = Host();
        IReadOnlyList<string> notes = TemplatePlanning.Of(host, Frequency, SettingValue.Dword(1), "InternetCustom", "10.1.0.0/16").Notes;

        string? Data(string template, string property) => host.Values.FirstOrDefault(v => v.Template == template && v.Name == property)?.Data.SingleOrDefault();
        List<string> properties = host.Values.Where(v => v.Store == "template" && v.Template is "Internet" or "InternetCustom").Select(v => v.Name).Distinct()
            .ToList();
        string line = Assert.Single(notes, n => n.StartsWith("Where Windows chose Internet for them: ", StringComparison.Ordinal));
        Assert.Contains("DelayedAckFrequency 2 becomes 1", line, StringComparison.Ordinal);
        Assert.True(properties.Count > 10);
        Assert.All(
            properties.Where(p => p != "DelayedAckFrequency"),
            p => Assert.Equal(Data("Internet", p) != Data("InternetCustom", p), line.Contains($"{p} ", StringComparison.Ordinal)));
        Assert.Contains(
            notes, n => n.StartsWith("Where Windows chose Datacenter for them: ", StringComparison.Ordinal)
                && n.Contains("DelayedAckTimeout 10 becomes", StringComparison.Ordinal));
    }

    [Fact]
    public void Filter_ThatIsThereIsKeptAndAnotherTemplatesIsInTheWay()
    {
        Assert.Single(TemplatePlanning.Of(Host(filter: "InternetCustom"), Frequency, SettingValue.Dword(1), "InternetCustom", "10.1.0.0/16:1433").Changes);
        Assert.Contains(
            "bound to Datacenter. A filter cannot be bound to another template",
            Refused(Host(filter: "Datacenter"), Frequency, 1, "InternetCustom", "10.1.0.0/16:1433", ExitCode.Change), StringComparison.Ordinal);
    }

    [Fact]
    public void Filter_ForOthersOfTheSameTemplateIsTold() => Assert.Contains(
        TemplatePlanning.Of(Host(filter: "InternetCustom"), Frequency, SettingValue.Dword(1), "InternetCustom", "10.9.0.0/16").Notes,
        n =>
            n.Contains(
                "1 other filter binds to InternetCustom; the connections of these filters change as well: 10.1.0.0/16, remote port 1433",
                StringComparison.Ordinal));

    [Theory]
    [InlineData(null, "--filter needs --template with InternetCustom or DatacenterCustom")]
    [InlineData("Internet", "--filter needs a custom template, but Internet is not one")]
    [InlineData("Intranet", "There is no TCP template 'Intranet'")]
    public void Filter_WantsACustomTemplate(string? template, string says) =>
        Assert.Contains(says, Refused(Host(), Frequency, 1, template, "10.1.0.0/16", ExitCode.Usage), StringComparison.Ordinal);

    [Fact]
    public void Filter_IsRefusedOnClients()
    {
        HostSnapshot client = Host(os: new HostOs { Product = "Windows 10 Pro", Build = 19045, IsServer = false });

        Assert.Contains(
            "on Windows Server only, and this is Windows 10 Pro", Refused(client, Frequency, 1, "InternetCustom", "10.1.0.0/16", ExitCode.Change),
            StringComparison.Ordinal);
        Assert.Single(TemplatePlanning.Of(client, Frequency, SettingValue.Dword(1), "InternetCustom", null).Changes);
    }

    [Fact]
    public void Template_ThatIsReadOnlyIsRefusedWithThoseThatAreNot()
    {
        HostSnapshot old = Host(os: new HostOs { Build = 9200, IsServer = true });
        HostSnapshot client = Host(os: new HostOs { Build = 19045, IsServer = false });
        ApplicableSetting timeout = SettingsCatalogue.Current.Find("template.delayedacktimeout").Applicable();

        Assert.Contains(
            "It can be changed in InternetCustom, DatacenterCustom. Nothing was changed.", Refused(old, Frequency, 1, "Internet", null, ExitCode.Change),
            StringComparison.Ordinal);
        Assert.Contains(
            "client editions keep DelayedAckTimeout read-only", Refused(client, timeout, 10, "Internet", null, ExitCode.Change), StringComparison.Ordinal);
        Assert.Contains(
            "give --template with one of InternetCustom, DatacenterCustom, and", Refused(old, Frequency, 1, null, null, ExitCode.Usage),
            StringComparison.Ordinal);
    }

    [Fact]
    public void Template_WhoseWritabilityIsAssumedSaysSo()
    {
        Assert.Contains(
            TemplatePlanning.Of(Host(os: new HostOs { Build = 26100, IsServer = true }), Frequency, SettingValue.Dword(1), "Internet", null).Notes,
            n => n.Contains("is not certain", StringComparison.Ordinal));
        Assert.DoesNotContain(
            TemplatePlanning.Of(Host(), Frequency, SettingValue.Dword(1), "Internet", null).Notes, n => n.Contains("certain", StringComparison.Ordinal));
    }

    [Fact]
    public void Template_TellsHowManyConnectionsUseItOrThatNoneDoes()
    {
        Assert.Contains(
            "412 open connections when the snapshot was taken",
            Assert.Single(TemplatePlanning.Of(Host(), Frequency, SettingValue.Dword(1), "Internet", null).Notes), StringComparison.Ordinal);
        Assert.Contains(
            "No connection uses template InternetCustom",
            Assert.Single(TemplatePlanning.Of(Host(), Frequency, SettingValue.Dword(1), "InternetCustom", null).Notes), StringComparison.Ordinal);
        Assert.Contains(
            "is used by the connections that filters bind to it",
            Assert.Single(TemplatePlanning.Of(Host(filter: "InternetCustom"), Frequency, SettingValue.Dword(1), "InternetCustom", null).Notes),
            StringComparison.Ordinal);
        Assert.Contains(
            "Windows chooses template InternetCustom",
            Assert.Single(TemplatePlanning.Of(Host(usesCustom: true), Frequency, SettingValue.Dword(1), "InternetCustom", null).Notes),
            StringComparison.Ordinal);
        Assert.Contains(
            "only filters bind connections to Internet",
            TemplatePlanning.Of(Host(usesCustom: true), Frequency, SettingValue.Dword(1), "Internet", null).Notes[1],
            StringComparison.Ordinal);
        Assert.Contains(
            "not known", Assert.Single(TemplatePlanning.Of(Host() with { TemplateUses = [] }, Frequency, SettingValue.Dword(1), "Internet", null).Notes),
            StringComparison.Ordinal);
    }

    [Fact]
    public void Switch_TellsWhatDiffersAndForHowMany()
    {
        TemplatePlan on = TemplatePlanning.Of(Host(), Switch, SettingValue.Dword(1), null, null);

        Assert.Equal(new SettingLocation.Template("Automatic", "AutomaticUseCustom"), Assert.Single(on.Changes).Location);
        Assert.Equal(3, on.Notes.Count);
        Assert.Matches("^Internet to InternetCustom: .*; 412 open connections when", on.Notes[1]);
        Assert.Matches("^Datacenter to DatacenterCustom: .*; 1 open connection when", on.Notes[2]);
        Assert.StartsWith(
            "InternetCustom to Internet: ", TemplatePlanning.Of(Host(), Switch, SettingValue.Dword(0), null, null).Notes[1], StringComparison.Ordinal);
        Assert.Contains("takes no --filter", Refused(Host(), Switch, 1, null, "10.0.0.0/8", ExitCode.Usage), StringComparison.Ordinal);
    }

    [Fact]
    public void Setting_OfTheRegistryHasNoTemplate()
    {
        ApplicableSetting registry = SettingsCatalogue.Current.Find("tcp.ackfrequency").Applicable();

        Assert.Contains("takes neither --template nor --filter", Refused(Host(), registry, 1, "Internet", null, ExitCode.Usage), StringComparison.Ordinal);
        Refused(Host(), Frequency, 256, "Internet", null, ExitCode.Usage);
    }

    [Fact]
    public void Values_ThatASnapshotDoesNotHoldAreNotGuessed() =>
        Assert.Contains(
            "neither its value nor its absence", Refused(Host() with { Values = [] }, Frequency, 1, "Internet", null, ExitCode.Platform),
            StringComparison.Ordinal);

    [Fact]
    public void Undo_OfAFilterAndItsTemplateIsExact()
    {
        HostSnapshot host = Host();
        SnapshotStore before = new(host, "s");
        MemorySettingsStore store = new();
        foreach (SnapshotValue? value in host.Values.Where(v => v.Store is "template" or "filter"))
        {
            store.Write(SnapshotStore.LocationOf(value)!, SnapshotStore.ValueOf(value, "s")!);
        }

        IReadOnlyList<KeyValuePair<SettingLocation, SettingValue>> values = store.Values;
        TemplatePlan plan = TemplatePlanning.Of(host, Frequency, SettingValue.Dword(1), "InternetCustom", "10.1.0.0/16:1433", store);
        ChangePlan written = PlanFile.Read(System.Text.Encoding.UTF8.GetBytes(PlanFile.Write(Bench.Plan("b1", [.. plan.Changes]))), "plan.json");
        Bench bench = new();
        ChangeRules rules = new(
            c => c.Location is SettingLocation.Filter ? FilterRules.Refusal(c) : null,
            (place, kind) => place is SettingLocation.Template || FilterRules.IsAllowed(place, kind));
        TuningContext context = bench.Context with { Store = store, Rules = rules };

        TuningResult shown = new PlanExecutor(context).Apply(written, whatIf: true);
        Assert.Null(shown.Reg);
        Assert.Contains(shown.PowerShell, l => l.StartsWith("New-NetTransportFilter -SettingName 'InternetCustom' ", StringComparison.Ordinal));
        Assert.Equal(TuningOutcome.Done, new PlanExecutor(context).Apply(written, whatIf: false).Outcome);
        Assert.Equal(SettingValue.Of("InternetCustom"), store.Read(Sql));

        Assert.Equal(TuningOutcome.Done, new Rollback(context).Run(new RollbackSelection.All(), whatIf: false, force: false).Outcome);
        Assert.Equal(values, store.Values);
        Assert.True(before.Read(Sql).IsAbsent);
    }

    [Theory]
    [InlineData("absent", "InternetCustom", null)]
    [InlineData("DatacenterCustom", "absent", null)]
    [InlineData("InternetCustom", "DatacenterCustom", "not bound to another template")]
    [InlineData("absent", "absent", "not bound to another template")]
    [InlineData("absent", "Internet", "only filters to InternetCustom and DatacenterCustom")]
    [InlineData("Automatic", "absent", "only filters to InternetCustom and DatacenterCustom")]
    public void Rules_MakeAndRemoveFiltersToCustomTemplatesOnly(string before, string after, string? says)
    {
        SettingValue Value(string text) => text == "absent" ? SettingValue.Absent : SettingValue.Of(text);
        string? refusal =
            FilterRules.Refusal(
                new Change { SettingId = FilterRules.SettingId, Scope = "filter", Location = Sql, Before = Value(before), After = Value(after) });

        Assert.Equal(says is null, refusal is null);
        Assert.Contains(says ?? "", refusal ?? "", StringComparison.Ordinal);
        Assert.True(FilterRules.IsAllowed(Sql, SettingValueKind.Text) && FilterRules.IsAllowed(Sql, SettingValueKind.Absent));
        Assert.False(FilterRules.IsAllowed(Sql, SettingValueKind.Dword) || FilterRules.IsAllowed(Bench.Places[0], SettingValueKind.Text));
    }

    [Fact]
    public void PowerShell_MakesAndRemovesAFilterAndNamesParametersAsTheCmdletDoes()
    {
        const string Ports = "-LocalPortStart 0 -LocalPortEnd 65535 -RemotePortStart 1433 -RemotePortEnd 1433";

        Assert.Equal(
            [$"New-NetTransportFilter -SettingName 'InternetCustom' -Protocol TCP -DestinationPrefix '10.1.0.0/16' {Ports} | Out-Null"],
            PowerShellText.Lines(Sql, SettingValue.Of("InternetCustom")));
        Assert.Equal(
            [$"Get-NetTransportFilter -Protocol TCP -DestinationPrefix '10.1.0.0/16' {Ports} | Remove-NetTransportFilter -Confirm:$false"],
            PowerShellText.Lines(Sql, SettingValue.Absent));
        Assert.Equal(
            ["Set-NetTCPSetting -SettingName 'Internet' -MinRtoMs 20"],
            PowerShellText.Lines(new SettingLocation.Template("Internet", "MinRto"), SettingValue.Dword(20)));
    }

    [Fact]
    public void Parameters_OfTheCmdletAreThoseOfTheCatalogue() => Assert.All(
        SettingsCatalogue.Current.All.Where(d => d.Store is SettingStore.Template { OnlyTemplate: null } && ApplicableSetting.TryFrom(d) is not null),
        d =>
        {
            string line =
                Assert.Single(PowerShellText.Lines(new SettingLocation.Template("Internet", ((SettingStore.Template)d.Store).Property), SettingValue.Dword(1)));
            string parameter = line.Split(' ')[3];
            Assert.True(d.Set.Split(' ').Contains(parameter), $"{d.Set} has no {parameter}");
        });
}
