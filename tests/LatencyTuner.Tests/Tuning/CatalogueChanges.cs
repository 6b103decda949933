using LatencyTuner.Core.Settings;
using LatencyTuner.Core.Tuning;
using LatencyTuner.Tests.Settings;
using Xunit;

namespace LatencyTuner.Tests.Tuning;

/// <summary>The rules of the real catalogue, over every entry of it.</summary>
public sealed class CatalogueChanges
{
    private static readonly ChangeRules Rules = CatalogueRules.Of(SettingsCatalogue.Current, SampleSnapshots.Server2022.Interfaces);

    public static TheoryData<string> Applicable => [.. SettingsCatalogue.Current.All.Where(d => ApplicableSetting.TryFrom(d) is not null).Select(d => d.Id)];

    public static TheoryData<string> Others => [.. SettingsCatalogue.Current.All.Where(d => ApplicableSetting.TryFrom(d) is null).Select(d => d.Id)];

    [Theory]
    [MemberData(nameof(Applicable))]
    public void Refusal_TakesItsOwnPlaceAndRangeOnly(string id)
    {
        ApplicableSetting setting = SettingsCatalogue.Current.Find(id).Applicable();
        Change change = Change(setting);

        Assert.Null(Rules.Refusal(change));
        Assert.True(Rules.IsAllowed(change.Location, SettingValueKind.Dword));
        Assert.Equal(change.Location is SettingLocation.Registry, Rules.IsAllowed(change.Location, SettingValueKind.Absent));
        Assert.NotNull(Rules.Refusal(change with { After = SettingValue.Of("1") }));
        Assert.NotNull(Rules.Refusal(change with { After = SettingValue.Dword((uint)setting.Definition.Allowed!.Max + 1) }));
        Assert.NotNull(Rules.Refusal(change with { Location = Elsewhere(change.Location) }));
        Assert.False(Rules.IsAllowed(Elsewhere(change.Location), SettingValueKind.Dword));
        Assert.All(
            Enum.GetValues<SettingValueKind>().Where(k => k is not (SettingValueKind.Absent or SettingValueKind.Dword)),
            k => Assert.False(Rules.IsAllowed(change.Location, k)));
    }

    /// <summary>What weakens a defence, or what this Windows may not take, is written only when somebody insists; a rollback restores anything.</summary>
    [Theory]
    [InlineData("tcp.delackticks", "1 to 60")]
    [InlineData("template.memorypressureprotection", "takes that defence away")]
    public void Refusal_OfAValueThatNeedsForce_SaysWhy(string id, string because)
    {
        Change change = Change(SettingsCatalogue.Current.Find(id).Applicable()) with { After = SettingValue.Dword(0) };

        string refusal = Rules.Refusal(change)!;
        Assert.StartsWith($"{id}=0 is written with --force only: ", refusal, StringComparison.Ordinal);
        Assert.Contains(because, refusal, StringComparison.Ordinal);
        Assert.Null(CatalogueRules.Of(SettingsCatalogue.Current, SampleSnapshots.Server2022.Interfaces, force: true).Refusal(change));
        Assert.Null(CatalogueRules.Of(SettingsCatalogue.Current, null).Refusal(change));
    }

    [Theory]
    [MemberData(nameof(Others))]
    public void Refusal_SaysWhyWhatIsNotAppliedIsNot(string id)
    {
        SettingDefinition definition = SettingsCatalogue.Current.Find(id);
        SettingLocation location = definition.Store is SettingStore.Registry registry
            ? new SettingLocation.Registry(registry.Key.Replace(SettingStore.InterfaceGuid, SampleSnapshots.Team, StringComparison.Ordinal), registry.Values[0])
            : new SettingLocation.Template("InternetCustom", "Anything");

        string? refusal =
            Rules.Refusal(new Change { SettingId = id, Scope = "machine", Location = location, Before = SettingValue.Absent, After = SettingValue.Dword(1) });

        Assert.StartsWith($"{id} is not changed by this program: ", refusal, StringComparison.Ordinal);
        Assert.False(Rules.IsAllowed(location, SettingValueKind.Dword));
    }

    /// <summary>A journal that somebody planted reaches nothing but the catalogue's places.</summary>
    [Theory]
    [InlineData(@"HKLM\SOFTWARE\Microsoft\Windows\CurrentVersion\Run", "x")]
    [InlineData(@"HKLM\SYSTEM\CurrentControlSet\Services\Tcpip\Parameters\Interfaces", "TcpAckFrequency")]
    [InlineData(@"HKLM\SYSTEM\CurrentControlSet\Services\Tcpip\Parameters\Interfaces\{5f2c7a10}", "TcpAckFrequency")]
    [InlineData(@"HKLM\SYSTEM\CurrentControlSet\Services\Tcpip\Parameters\Interfaces\{5f2c7a10-8b3e-4d66-9c1f-2a7b90e4d301}\Deeper", "TcpAckFrequency")]
    [InlineData(@"HKLM\SYSTEM\CurrentControlSet\Services\Tcpip\Parameters\Interfaces\..\{5f2c7a10-8b3e-4d66-9c1f-2a7b90e4d301}", "TcpAckFrequency")]
    [InlineData(@"HKLM\SYSTEM\CurrentControlSet\Services\Tcpip\Parameters\Interfaces\{5f2c7a10-8b3e-4d66-9c1f-2a7b90e4d301}", "IPAddress")]
    public void IsAllowed_NowhereElse(string key, string name) =>
        Assert.All(Enum.GetValues<SettingValueKind>(), k => Assert.False(Rules.IsAllowed(new SettingLocation.Registry(key, name), k)));

    [Fact]
    public void Rollback_OfAPlantedJournalWritesNothing()
    {
        MemoryFolder folder = new(new Faults(), 1);
        MemorySettingsStore store = new();
        SettingLocation.Registry place = new(@"HKLM\SOFTWARE\Microsoft\Windows\CurrentVersion\Run", "x");
        TuningContext context = new()
        {
            Store = store,
            Folder = folder,
            Rules = new(_ => null, (_, _) => true),
            Machine = Bench.Here,
            Clock = new FixedClock(),
            MissingPrivilege = () => null,
        };
        ChangePlan plan =
            Bench.Plan(
                "planted",
                new Change
                {
                    SettingId = "tcp.ackfrequency",
                    Scope = "machine",
                    Location = place,
                    Before = SettingValue.Of("evil.exe"),
                    After = SettingValue.Absent,
                });
        store.Write(place, SettingValue.Of("evil.exe"));
        new PlanExecutor(context).Apply(plan, whatIf: false);

        TuningResult result =
            new Rollback(context with { Rules = CatalogueRules.Of(SettingsCatalogue.Current, null) }).Run(
                new RollbackSelection.All(), whatIf: false, force: true);

        Assert.Equal(TuningOutcome.Incomplete, result.Outcome);
        Assert.True(store.Read(place).IsAbsent);
    }

    private static Change Change(ApplicableSetting setting)
    {
        SettingDefinition definition = setting.Definition;
        return new Change
        {
            SettingId = definition.Id,
            Scope = SettingNames.Of(definition.Scope),
            Location = setting.Locate(
                definition.Store is SettingStore.Registry { IsPerInterface: true } ? SampleSnapshots.Team : null,
                definition.Store is SettingStore.Template { OnlyTemplate: null } ? "InternetCustom" : null),
            Before = SettingValue.Dword(1),
            After = SettingValue.Dword((uint)definition.Allowed!.Min + (definition.NeedsForce is null ? 0u : 1)),
        };
    }

    private static SettingLocation Elsewhere(SettingLocation location) => location switch
    {
        SettingLocation.Registry registry => registry with { Key = registry.Key + @"\Deeper" },
        SettingLocation.Template template => template with { Property = "Anything" },
        _ => throw new ArgumentException("No place.", nameof(location)),
    };
}
